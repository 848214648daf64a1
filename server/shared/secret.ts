/**
 * A value that must never be printed. `expose()` is the one way to the text; every other conversion
 * (template literals, JSON, console, util.inspect) shows the label only.
 */
export class Secret {
  readonly #value: string;
  readonly label: string;

  /** `label` names the reference (for example `env:LLM_API_KEY`); it may be shown. */
  constructor(value: string, label: string) {
    this.#value = value;
    this.label = label;
  }

  expose(): string {
    return this.#value;
  }

  toString(): string {
    return `[secret ${this.label}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}
