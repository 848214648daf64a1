import type {
  ConfigEdit,
  ConfigEvaluation,
  ConfigFileView,
  ConfigImpact,
  LocalServer,
  ModelTest,
  OfferedModels,
  RevisionSummary,
  RevisionView,
  RollbackInput,
  RouteExplanation,
  SaveConfigInput,
} from "./config-view.schema";
import type { ModelAvailability } from "./model-availability.schema";

/** Which document is meant: a draft's text, a revision, or (neither) the newest revision. */
export interface DocumentChoice {
  text?: string | undefined;
  revision?: number | undefined;
}

/**
 * Everything a caller may do with the configuration; tRPC, REST and the command line are thin wires to this one service.
 * Throws AppError: `not_found` for an unknown revision, scene or provider, `conflict` for a stale save (details: `current`, the
 * newest revision's number), `invalid_config` for a document with errors (details: `problems`).
 */
export interface ConfigService {
  current(): Promise<RevisionView & { file: ConfigFileView | null }>;
  /** Newest first; `before` is the number of the last one seen. */
  revisions(query: {
    before?: number | undefined;
    limit: number;
  }): Promise<{ items: RevisionSummary[]; nextBefore: number | null }>;
  revision(number: number): Promise<RevisionView>;
  /** Never throws for what is wrong with a document: that is the answer. */
  evaluate(choice: DocumentChoice): Promise<ConfigEvaluation>;
  /** The text with these fields changed, comments and everything else as they were. Throws `invalid_input` when the text cannot be read or a path leads nowhere. */
  edit(text: string, edits: readonly ConfigEdit[]): Promise<{ text: string }>;
  impact(text: string): Promise<ConfigImpact>;
  save(input: SaveConfigInput, source: "console" | "api"): Promise<RevisionView>;
  rollback(input: RollbackInput): Promise<RevisionView>;
  /** Appends the text as a new revision on top of whatever is newest; the same text as the newest appends nothing. */
  importText(input: { text: string; author: string; comment: string; source: "command_line" | "file" }): Promise<RevisionView>;
  /** The file named by SWITCHYARD_CONFIG counts as seen; the document stays. */
  keepDocument(): Promise<ConfigFileView | null>;
  /** How models stand now, in the order given; a reference to nothing there is is left out. */
  availability(references: readonly string[]): Promise<ModelAvailability[]>;
  why(scene: string, choice: DocumentChoice): Promise<RouteExplanation>;
  /** One tiny real call to the model that the scene would get, or to a named `provider/model`. */
  test(target: { scene: string } | { reference: string }, choice: DocumentChoice, signal: AbortSignal): Promise<ModelTest>;
  /** Model servers that answer on their usual ports of this machine, without those that the newest document has. Sends no key. */
  localServers(signal: AbortSignal): Promise<LocalServer[]>;
  offeredModels(provider: string, choice: DocumentChoice, signal: AbortSignal): Promise<OfferedModels>;
}
