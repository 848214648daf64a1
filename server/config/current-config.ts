import { AppError } from "@/server/shared/app-error";
import type { ConfigProblem } from "./config.rules";
import type { ConfigDocument } from "./config-document.schema";
import type { ConfigRevisionsStore, StoredRevision } from "./config-revisions.store";

export interface LoadedConfig {
  revision: StoredRevision;
  document: ConfigDocument;
  /** Warnings. */
  problems: ConfigProblem[];
}

/** `document` null: it has errors; `partial`: what could be read all the same. */
export type ParseConfig = (text: string) => {
  document: ConfigDocument | null;
  partial: ConfigDocument | null;
  problems: ConfigProblem[];
};

/** The newest revision, parsed once each. The database is asked every time: another process may have saved. */
export class CurrentConfig {
  readonly #store: ConfigRevisionsStore;
  readonly #parse: ParseConfig;
  readonly #loaded: (config: LoadedConfig) => void;
  #newest: LoadedConfig | null = null;

  /** `loaded` is called once for every revision that comes into use. */
  constructor(store: ConfigRevisionsStore, parse: ParseConfig, loaded: (config: LoadedConfig) => void) {
    this.#store = store;
    this.#parse = parse;
    this.#loaded = loaded;
  }

  async newest(): Promise<LoadedConfig> {
    const number = await this.#store.newestNumber();
    if (this.#newest?.revision.number === number) return this.#newest;
    const config = await this.at(number);
    this.#newest = config;
    this.#loaded(config);
    return config;
  }

  /** Throws `not_found`, and `invalid_config` for a revision that this version cannot use any more. */
  async at(number: number): Promise<LoadedConfig> {
    const revision = await this.#store.get(number);
    if (!revision)
      throw new AppError("not_found", `There is no revision ${number} of the configuration.`, { details: { revision: number } });
    const { document, problems } = this.#parse(revision.text);
    if (!document) {
      const first = problems.find(({ severity }) => severity === "error");
      throw new AppError(
        "invalid_config",
        `Revision ${number} of the configuration cannot be used by this version: ${first?.path ?? ""}: ${first?.message ?? ""}`,
        { details: { problems } },
      );
    }
    return { revision, document, problems };
  }
}
