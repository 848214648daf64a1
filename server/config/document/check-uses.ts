/** How the parts of a document fit together: scenes to providers, providers to profiles. */
import { BACKEND_KIND_FACTS } from "../backend-kind.rules";
import { isUnencrypted } from "../base-url";
import { BUILT_IN_SCENES } from "../config.rules";
import type { ConfigDocument } from "../config-document.schema";
import { listNames } from "../near-names";
import { type BackendProfile, profileNameOf, profilesOf } from "../profile-table";
import type { DeclaredPrice } from "./check-prices";
import type { DeclaredProvider } from "./check-providers";
import type { DeclaredCandidate, DeclaredScene } from "./check-scenes";
import type { ConfigPlace, ProblemList } from "./problem-list";
import { nearestName, shownName, suggestedVariable } from "./shown-name";

/** What the sections said, as far as each could be read. */
export interface Declared {
  /** Null: the section is not readable at all. */
  providers: DeclaredProvider[] | null;
  /** Every key of the section, badly named ones included. */
  providerKeys: ReadonlySet<string>;
  /** What stands in a section whose name is probably a misspelled `providers`: not read, and not missed. */
  misspelledProviders: ReadonlySet<string>;
  scenes: DeclaredScene[] | null;
  prices: DeclaredPrice[];
  /** True when other scenes stand in a section whose name is probably a misspelled `models`. */
  hasMisspelledScenes: boolean;
  /** Where `models` stands; null when it is absent. */
  modelsPlace: ConfigPlace | null;
  /** Profiles that are declared but not usable; null: the section is not readable at all. */
  brokenProfiles: ReadonlySet<string> | null;
  /** True when an old section names a model too: no scene is missed and no provider unused. */
  hasOldShape: boolean;
}

/** `document` holds what could be read. What follows from a mistake that was said already is not said again. */
export function checkUses(document: ConfigDocument, declared: Declared, problems: ProblemList): void {
  new UseCheck(document, declared, problems).run();
}

class UseCheck {
  readonly #declared: Declared;
  readonly #problems: ProblemList;
  readonly #profiles: ReadonlyMap<string, BackendProfile>;
  /** Undefined: all that work as agents. */
  readonly #agentBackends: readonly string[] | undefined;
  readonly #profileOf = new Map<string, BackendProfile>();

  constructor(document: ConfigDocument, declared: Declared, problems: ProblemList) {
    this.#declared = declared;
    this.#problems = problems;
    this.#profiles = profilesOf(document);
    this.#agentBackends = document.agents?.backends;
  }

  run(): void {
    for (const provider of this.#declared.providers ?? []) this.#checkProvider(provider);
    for (const profile of this.#profiles.values()) {
      if (profile.standsAlone && !this.#isDeclared(profile.name)) this.#profileOf.set(profile.name, profile);
    }
    for (const scene of this.#declared.scenes ?? []) this.#checkScene(scene);
    for (const price of this.#declared.prices) this.#checkPrice(price);
    if (this.#declared.hasOldShape) return;
    this.#checkSceneNames();
    this.#checkDefault();
    this.#checkUnused();
  }

  #checkProvider(provider: DeclaredProvider): void {
    const { name, place, baseUrl, apiKey, meant } = provider;
    if (!provider.isRead) return;
    const profile = this.#findProfile(provider);
    if (!profile) return;
    this.#profileOf.set(name, profile);
    const url =
      baseUrl.state === "read"
        ? { text: baseUrl.value, place: baseUrl.place }
        : profile.baseUrl === null
          ? null
          : { text: profile.baseUrl, place };
    if (!url && BACKEND_KIND_FACTS[profile.kind].needsBaseUrl && baseUrl.state === "absent" && !meant.has("baseUrl")) {
      const sentence = `The provider names no address, and its profile ${shownName(profile.name)} has none; add baseUrl: with the base of the API, up to /v1.`;
      this.#problems.error("no_base_url", place, sentence, { provider: shownName(name), profile: shownName(profile.name) });
    }
    if (profile.requiredSecretKeys.includes("apiKey") && apiKey.state === "absent" && !meant.has("apiKey")) {
      const line = `apiKey: env:${suggestedVariable(name)}`;
      this.#problems.error("missing_key", place, `The profile ${shownName(profile.name)} needs a key; add ${line}.`, {
        key: "apiKey",
        reason: "key",
        profile: shownName(profile.name),
        line,
      });
    }
    if (url && apiKey.state === "read" && isUnencrypted(url.text))
      this.#problems.warning("unencrypted", url.place, "The key is sent without encryption; use https:// unless this is meant.", {
        provider: shownName(name),
      });
  }

  /** Null when it is not known, which has been said. */
  #findProfile({ name, baseUrl, profile }: DeclaredProvider): BackendProfile | null {
    const { brokenProfiles } = this.#declared;
    if (profile.state === "broken" || brokenProfiles === null) return null;
    const asked = profile.state === "read" ? { profile: profile.value } : {};
    const address = baseUrl.state === "read" ? { baseUrl: baseUrl.value } : {};
    if (profile.state === "read" && brokenProfiles.has(profile.value)) return null;
    const found = profileNameOf({ name, ...asked, ...address }, this.#profiles);
    if (found === null && profile.state === "read") this.#sayUnknownProfile(profile.value, profile.place);
    // A profile that the document breaks may be the one of the provider's name.
    if (found === null || brokenProfiles.has(found) || brokenProfiles.has(name)) return null;
    // Which profile knows the host cannot be told from an address that is wrong.
    if (baseUrl.state === "broken" && profile.state === "absent" && !this.#profiles.has(name)) return null;
    return this.#profiles.get(found) ?? null;
  }

  #sayUnknownProfile(written: string, place: ConfigPlace): void {
    const names = [...this.#profiles.keys()];
    const meant = nearestName(written, names);
    const known = listNames(written, names.map(shownName));
    const name = shownName(written);
    const rest = meant === null ? `there are ${known}.` : `did you mean ${shownName(meant)}?`;
    this.#problems.error("unknown_profile", place, `There is no profile "${name}"; ${rest}`, {
      name,
      known,
      ...(meant === null ? {} : { meant: shownName(meant) }),
    });
  }

  #checkScene(scene: DeclaredScene): void {
    for (const candidate of scene.candidates) this.#checkCandidate(candidate);
    const exact = scene.candidates.find(({ provider }) => {
      const profile = this.#profileOf.get(provider);
      return profile !== undefined && BACKEND_KIND_FACTS[profile.kind].chosenExactly;
    });
    if (exact && scene.candidates.length > 1) {
      const provider = shownName(exact.provider);
      const sentence = `The provider ${provider} is chosen exactly, so it cannot stand beside others; make it the only candidate or remove it.`;
      this.#problems.error("chosen_exactly", scene.candidatesPlace, sentence, { provider });
    }
    this.#checkCapabilities(scene);
  }

  /** What was asked of a provider that is gone keeps its price, so this is no error; a slip would go unnoticed. */
  #checkPrice({ provider, place }: DeclaredPrice): void {
    if (this.#profileOf.has(provider) || this.#declared.providers === null || this.#isDeclared(provider)) return;
    const names = this.#providerNames();
    const meant = nearestName(provider, names);
    const known = listNames(provider, names.map(shownName));
    const name = shownName(provider);
    const rest = meant === null ? `there are ${known}.` : `did you mean ${shownName(meant)}?`;
    this.#problems.warning(
      "price_without_provider",
      place,
      `There is no provider "${name}", so this price counts only for what was asked of it before; ${rest}`,
      { name, known, ...(meant === null ? {} : { meant: shownName(meant) }) },
    );
  }

  #checkCandidate({ provider, at, path }: DeclaredCandidate): void {
    const place = { at, path };
    const name = shownName(provider);
    if (this.#profileOf.has(provider)) return;
    if (this.#declared.providers === null || this.#isDeclared(provider)) return;
    const names = this.#providerNames();
    const known = listNames(provider, names.map(shownName));
    if (this.#profiles.has(provider)) {
      const sentence = `There is no provider "${name}", only a profile of that name; add ${name}: to providers. There are ${known}.`;
      this.#problems.error("unknown_provider", place, sentence, { name, known, reason: "profile" });
      return;
    }
    const meant = nearestName(provider, names);
    const rest = meant === null ? `there are ${known}.` : `did you mean ${shownName(meant)}? There are ${known}.`;
    this.#problems.error("unknown_provider", place, `There is no provider "${name}"; ${rest}`, {
      name,
      known,
      ...(meant === null ? {} : { meant: shownName(meant) }),
    });
  }

  /** As `providerNames` has them: the document's own, then the built-in ones. */
  #providerNames(): string[] {
    const own = (this.#declared.providers ?? []).map(({ name }) => name);
    const builtIn = [...this.#profiles.values()].filter(({ standsAlone }) => standsAlone).map(({ name }) => name);
    return [...new Set([...own, ...this.#declared.misspelledProviders, ...builtIn])];
  }

  /** Somewhere, however badly. */
  #isDeclared(provider: string): boolean {
    return this.#declared.providerKeys.has(provider) || this.#declared.misspelledProviders.has(provider);
  }

  #checkCapabilities(scene: DeclaredScene): void {
    const profiles = scene.candidates.map(({ provider }) => this.#profileOf.get(provider));
    if (!scene.isWhole || profiles.includes(undefined)) return;
    for (const { capability, place } of scene.requires) {
      if (profiles.some((profile) => (profile?.scores[capability] ?? 0) > 0)) continue;
      const sentence = `None of the candidates offers ${capability}; add one that does, or give its profile a score for it.`;
      this.#problems.warning("capability_not_offered", place, sentence, { capability });
    }
  }

  /** Scenes may have any name; one that is almost a built-in name is more often a slip, which would go unnoticed. */
  #checkSceneNames(): void {
    const declared = new Set((this.#declared.scenes ?? []).map(({ scene }) => scene));
    const missing = BUILT_IN_SCENES.filter((scene) => !declared.has(scene));
    for (const { scene, place } of this.#declared.scenes ?? []) {
      if ((BUILT_IN_SCENES as readonly string[]).includes(scene)) continue;
      const meant = nearestName(scene, missing);
      if (meant === null) continue;
      const sentence = `This is a scene of your own, which no job asks for by itself; did you mean ${meant}? Else all is well.`;
      this.#problems.warning("near_scene", place, sentence, { meant });
    }
  }

  #checkDefault(): void {
    const { scenes, hasMisspelledScenes, modelsPlace } = this.#declared;
    if (!scenes || hasMisspelledScenes || !modelsPlace || scenes.length === 0 || scenes.some(({ scene }) => scene === "default"))
      return;
    const sentence = "There is no default, so only the scenes listed here have a model; add default: provider/model.";
    this.#problems.warning("no_default", modelsPlace, sentence);
  }

  /** Agent runs name their provider themselves, without a scene. */
  #worksForAgents(provider: string): boolean {
    const profile = this.#profileOf.get(provider);
    if (!profile || !BACKEND_KIND_FACTS[profile.kind].worksAsAgent) return false;
    const allowed = this.#agentBackends;
    return allowed === undefined || allowed.includes(provider);
  }

  /** Not while a scene is wrong: it may be the one that means the provider. */
  #checkUnused(): void {
    const { scenes, hasMisspelledScenes, providers } = this.#declared;
    if (!scenes || hasMisspelledScenes || !providers || !scenes.every(({ isWhole }) => isWhole)) return;
    const used = new Set(scenes.flatMap(({ candidates }) => candidates.map(({ provider }) => provider)));
    if ([...used].some((name) => !this.#profileOf.has(name) && !this.#isDeclared(name))) return;
    for (const { name, place } of providers) {
      const shown = shownName(name);
      if (!used.has(name) && !this.#worksForAgents(name))
        this.#problems.warning(
          "unused_provider",
          place,
          `No scene uses this provider; name it in models, as ${shown}/MODEL, or remove it.`,
          { provider: shown },
        );
    }
  }
}
