/** What an adapter may know of the machine: where its files go, where its program is, and which variables a child may see. */
export interface BackendHost {
  /** Absolute folder under which a kind keeps writable homes; made when it is needed. */
  homesFolder: string;
  /** Programs as the operator names them; others are looked for in PATH. */
  programs: Readonly<{ codex?: string; claude?: string }>;
  /** The variables of this process that children get, and no others: PATH, language, proxies, certificates. */
  childEnv: Readonly<Record<string, string>>;
}
