/**
 * The architecture, as data. Each server module may import only modules to its left, so a circle between modules cannot be
 * written. scripts/prove-architecture.mjs plants one violation a rule and expects each to be caught.
 */
const TEST = "[.](test|contract-test|codex-test|claude-test|openclaw-test|live-test)[.]tsx?$";
const LAYERS = ["shared", "db", "artifacts", "config", "events", "backends", "inference", "pipeline", "workflows", "runs", "api"];

const layerRules = LAYERS.slice(0, -1).map((layer, at) => ({
  name: `layer-${layer}`,
  comment: `server/${layer} sits left of ${LAYERS.slice(at + 1).join(", ")} and may not import them.`,
  severity: "error",
  from: { path: `^server/${layer}/`, pathNot: TEST },
  to: { path: `^server/(${LAYERS.slice(at + 1).join("|")})/` },
}));

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...layerRules,
    {
      name: "workflows-know-no-provider",
      comment: "The engine injects models; a workflow never looks them up.",
      severity: "error",
      from: { path: "^server/workflows/", pathNot: TEST },
      to: { path: "^server/(config|backends|inference)/" },
    },
    {
      name: "only-stores-touch-db",
      comment: "Types may be named anywhere right of db; only stores and the composition root use its code.",
      severity: "error",
      from: { path: "^server/", pathNot: `^server/(db|testing)/|^server/container[.]ts$|[.]store[.]ts$|${TEST}` },
      to: { path: "^server/db/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "schema-files-are-pure",
      severity: "error",
      from: { path: "[.]schema[.]ts$" },
      to: { pathNot: "[.](schema|rules)[.]ts$|(^|/)node_modules/zod" },
    },
    {
      name: "rules-files-need-nothing",
      comment: "Constants and rules that server and pages share; pages must not pay for a library.",
      severity: "error",
      from: { path: "[.]rules[.]ts$" },
      to: { pathNot: "[.]rules[.]ts$" },
    },
    {
      name: "module-root-is-the-door",
      comment: "A module's root files are public; its subfolders are private. What tests are made with may look inside.",
      severity: "error",
      from: { path: "^server/([^/]+)/", pathNot: `^server/testing/|${TEST}` },
      to: { path: "^server/[^/]+/[^/]+/", pathNot: "^server/$1/" },
    },
    {
      name: "adapters-are-islands",
      severity: "error",
      from: { path: "^server/backends/adapters/([^/]+)/", pathNot: TEST },
      to: { path: "^server/backends/adapters/", pathNot: "^server/backends/adapters/$1/" },
    },
    {
      name: "only-the-table-knows-adapters",
      severity: "error",
      from: { path: "^server/", pathNot: `^server/backends/(adapters/|adapter-table[.]ts$)|^server/testing/|${TEST}` },
      to: { path: "^server/backends/adapters/" },
    },
    {
      name: "processes-start-in-one-place",
      severity: "error",
      from: { pathNot: `^server/(backends/transport|testing)/|^(e2e|scripts)/|${TEST}` },
      to: { path: "^(node:)?child_process$" },
    },
    {
      name: "ui-imports-only-rules",
      comment: "Types may come from anywhere; a schema by value brings all of zod into the browser.",
      severity: "error",
      from: { path: "^components/", pathNot: TEST },
      to: { path: "^server/|(^|/)node_modules/zod", pathNot: "[.]rules[.]ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "ui-features-are-islands",
      comment: "Features know the shared leaves only; pages compose features.",
      severity: "error",
      from: { path: "^components/(?!(?:ui|trpc|i18n|status|run-actions)/)([^/]+)/" },
      to: { path: "^components/[^/]+/", pathNot: "^components/($1|ui|trpc|i18n|status|run-actions)/" },
    },
    {
      name: "ui-primitives-are-leaves",
      severity: "error",
      from: { path: "^components/ui/" },
      to: { path: "^(components/(?!ui/)|server/)" },
    },
    {
      name: "app-enters-through-api",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^server/", pathNot: "^server/api/[^/]+$|[.]schema[.]ts$" },
    },
    { name: "nobody-imports-app", severity: "error", from: { pathNot: "^app/" }, to: { path: "^app/" } },
    {
      name: "container-is-the-top",
      comment: "The composition root sees everything, so nothing below api may see it.",
      severity: "error",
      from: { path: `^server/(${LAYERS.slice(0, -1).join("|")})/`, pathNot: TEST },
      to: { path: "^server/(container|boot)[.]ts$" },
    },
    { name: "no-barrels", severity: "error", from: {}, to: { path: "^(server|components)/.*/index[.]tsx?$" } },
    {
      name: "tests-stay-out-of-production",
      severity: "error",
      from: { pathNot: `${TEST}|^server/testing/|^(e2e|prisma|scripts)/` },
      to: { path: `${TEST}|^server/testing/` },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(server/db/generated|[.]next)/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
