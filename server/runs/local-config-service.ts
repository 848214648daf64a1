import { BackendError } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ConfigDocument } from "@/server/config/config-document.schema";
import type { ConfigRevisionsStore, NewRevision, StoredRevision } from "@/server/config/config-revisions.store";
import { configSha256 } from "@/server/config/config-revisions.store";
import { editConfigText } from "@/server/config/config-yaml-edit";
import type { CurrentConfig, ParseConfig } from "@/server/config/current-config";
import { listNames } from "@/server/config/near-names";
import { settingsOfProvider } from "@/server/config/provider-settings";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { renameProvider } from "@/server/config/rename-provider";
import { resolveReference, resolveRoute } from "@/server/config/resolve-model";
import { isSecretUnavailableError } from "@/server/config/secret-reference";
import { usableDocument } from "@/server/config/usable-document";
import type { ProviderPool } from "@/server/inference/provider-pool";
import { AppError } from "@/server/shared/app-error";
import { type Clock, isoTime } from "@/server/shared/clock";
import { evaluateDocument, type KeyStates } from "./config-evaluation";
import { type ConfigFileDeps, configFileView, keepDocument } from "./config-file";
import { changeOf } from "./config-impact";
import type { ConfigService, DocumentChoice } from "./config-service";
import type { RevisionSummary, RevisionView } from "./config-view.schema";
import { explainRoute, type SnapshotOf } from "./explain-route";
import { findLocalServers } from "./local-servers";
import { availabilityOf } from "./model-availability";
import { sceneNames } from "./pin-route";
import type { RunsStore } from "./runs.store";
import { testModel } from "./test-model";

export interface LocalConfigDeps {
  store: ConfigRevisionsStore;
  config: CurrentConfig;
  parse: ParseConfig;
  keyStates: KeyStates;
  snapshot: SnapshotOf;
  /** Takes over what other processes know of providers: a command that answers and ends would know nothing. */
  learnState(): Promise<void>;
  providers: ProviderPool;
  access(settings: ProviderSettings): ProviderAccess;
  runs: RunsStore;
  /** Null when SWITCHYARD_CONFIG is not set. */
  file: ConfigFileDeps | null;
  redact(text: string): string;
  clock: Clock;
}

/** How often an import is tried anew when other revisions come in between. */
const IMPORT_TRIES = 5;

export function createLocalConfigService(deps: LocalConfigDeps): ConfigService {
  const { store, config, parse, clock } = deps;

  /** The document that is meant, and its revision (null = a draft). Throws for a draft with errors. */
  async function documentOf({ text, revision }: DocumentChoice): Promise<{ document: ConfigDocument; revision: number | null }> {
    if (text !== undefined) return { document: usable(text), revision: null };
    const loaded = revision === undefined ? await config.newest() : await config.at(revision);
    return { document: loaded.document, revision: loaded.revision.number };
  }

  const usable = (text: string) => usableDocument(parse, text);

  async function newest(): Promise<StoredRevision> {
    return (await config.newest()).revision;
  }

  async function stored(number: number): Promise<StoredRevision> {
    const found = await store.get(number);
    if (!found)
      throw new AppError("not_found", `There is no revision ${number} of the configuration.`, { details: { revision: number } });
    return found;
  }

  async function append(revision: NewRevision, baseRevision: number): Promise<RevisionView> {
    const number = baseRevision + 1;
    if (!(await store.append(revision, number, clock.now()))) throw await stale(baseRevision);
    const saved = await stored(number);
    await noteFile(saved);
    return toView(saved);
  }

  /** The file's own text was saved: it counts as imported. */
  async function noteFile(saved: StoredRevision): Promise<void> {
    if (!deps.file) return;
    const view = await configFileView(deps.file);
    if (view.state === "imported")
      await store.setFile({ path: view.path, sha256: saved.sha256, revision: saved.number }, clock.now());
  }

  async function stale(baseRevision: number): Promise<AppError> {
    const current = await newest();
    if (baseRevision > current.number)
      return new AppError("invalid_input", `There is no revision ${baseRevision} yet; the newest is ${current.number}.`);
    return new AppError(
      "conflict",
      `The configuration was saved meanwhile: revision ${current.number} by ${current.author}. Your draft started from ${baseRevision}; look at both and save again.`,
      { details: { current: current.number } },
    );
  }

  return {
    async current() {
      const revision = await newest();
      return { ...toView(revision), file: deps.file ? await configFileView(deps.file) : null };
    },
    async revisions({ before, limit }) {
      const page = await store.list(before, limit);
      return { items: page.items.map(toSummary), nextBefore: page.nextBefore };
    },
    revision: async (number) => toView(await stored(number)),
    async evaluate({ text, revision }) {
      const chosen = text ?? (revision === undefined ? await newest() : await stored(revision)).text;
      const { partial, problems } = parse(chosen);
      return evaluateDocument(partial, problems, deps.keyStates);
    },
    async edit(text, edits) {
      let current = text;
      for (const each of edits) {
        const edited =
          "renameProvider" in each
            ? renameProvider(current, each.renameProvider.from, each.renameProvider.to)
            : editConfigText(current, [each]);
        if (!edited.ok) throw new AppError("invalid_input", edited.error);
        current = edited.value;
      }
      return { text: current };
    },
    async impact(text) {
      const after = usable(text);
      const { document: before } = await config.newest();
      const { touchedScenes, ...change } = changeOf(before, after);
      return { ...change, ...(await deps.runs.unfinishedOfScenes(touchedScenes, 50)) };
    },
    async save({ text, baseRevision, author, comment }, source) {
      usable(text);
      const current = await newest();
      if (current.number === baseRevision && current.sha256 === configSha256(text)) return toView(current);
      const words = { author: deps.redact(author), comment: deps.redact(comment) };
      return append({ text, ...words, source, rolledBackTo: null }, baseRevision);
    },
    async rollback({ to, baseRevision, author, comment }) {
      const target = await stored(to);
      usable(target.text);
      const words = { author: deps.redact(author), comment: deps.redact(comment) };
      return append({ text: target.text, ...words, source: "rollback", rolledBackTo: to }, baseRevision);
    },
    async importText({ text, author, comment, source }) {
      usable(text);
      const words = { author: deps.redact(author), comment: deps.redact(comment) };
      for (let tries = 0; ; tries++) {
        const current = await newest();
        if (current.sha256 === configSha256(text)) return toView(current);
        try {
          return await append({ text, ...words, source, rolledBackTo: null }, current.number);
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== "conflict" || tries >= IMPORT_TRIES) throw error;
        }
      }
    },
    async keepDocument() {
      if (!deps.file) return null;
      await keepDocument(deps.file);
      return configFileView(deps.file);
    },
    async availability(references) {
      const [{ document }] = await Promise.all([config.newest(), deps.learnState()]);
      return references.flatMap((reference) => {
        const resolved = resolveReference(document, reference, "reference");
        return resolved.ok ? [availabilityOf(deps.snapshot(resolved.value.settings, resolved.value.model))] : [];
      });
    },
    async why(scene, choice) {
      const [{ document, revision }] = await Promise.all([documentOf(choice), deps.learnState()]);
      return explainRoute(document, scene, revision, deps.snapshot, clock.now());
    },
    async test(target, choice, signal) {
      const { document } = await documentOf(choice);
      const { settings, model } = candidateOf(document, target, deps.snapshot, clock.now());
      return testModel(
        deps.providers.of(settings),
        model,
        { access: () => deps.access(settings), redact: deps.redact, now: () => clock.now() },
        signal,
      );
    },
    async localServers(signal) {
      return findLocalServers((await config.newest()).document, deps.providers, signal);
    },
    async offeredModels(name, choice, signal) {
      const { document } = await documentOf(choice);
      const settings = settingsOfProvider(document, name);
      if (!settings) throw new AppError("not_found", `There is no provider "${name}".`, { details: { provider: name } });
      try {
        const models = await deps.providers.of(settings).backend.listModels(signal, deps.access(settings));
        if (models === null) return { offered: false, models: [], message: `${name} has no list of its models.` };
        return { offered: true, models: models.sort((a, b) => a.localeCompare(b)), message: "" };
      } catch (error) {
        if (isSecretUnavailableError(error) || error instanceof BackendError)
          return { offered: false, models: [], message: deps.redact(error.message) };
        throw error;
      }
    },
  };
}

function candidateOf(
  document: ConfigDocument,
  target: { scene: string } | { reference: string },
  snapshot: SnapshotOf,
  now: number,
): { settings: ProviderSettings; model: string } {
  if ("reference" in target) {
    const resolved = resolveReference(document, target.reference, "reference");
    if (!resolved.ok) throw new AppError("invalid_input", resolved.error);
    return resolved.value;
  }
  if (!sceneNames(document).includes(target.scene))
    throw new AppError(
      "not_found",
      `There is no scene "${target.scene}"; there are: ${listNames(target.scene, sceneNames(document))}.`,
    );
  const route = resolveRoute(document, target.scene);
  if (!route.ok) throw new AppError("invalid_config", route.error);
  const { chosen } = explainRoute(document, target.scene, null, snapshot, now);
  const candidates = route.value.candidates;
  const found = candidates.find(({ settings, model }) => `${settings.name}/${model}` === chosen) ?? candidates[0];
  if (!found) throw new AppError("invalid_config", `The scene ${target.scene} lists no model.`);
  return found;
}

function toSummary({ number, author, comment, source, rolledBackTo, createdAt, sha256, bytes }: StoredRevision): RevisionSummary {
  return { number, author, comment, source, rolledBackTo, createdAt: isoTime(createdAt), sha256, bytes };
}

function toView(revision: StoredRevision): RevisionView {
  return { ...toSummary(revision), text: revision.text };
}
