// Prints the SQL between two states of the data model, offline: `node scripts/migration-sql.mjs [previous.prisma]`.
// Prisma's own engine makes it; nothing is connected. Add the CHECKs of enumerated columns by hand afterwards.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { bindMigrationAwareSqlAdapterFactory, mockAdapter } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";

const require = createRequire(import.meta.url);
const wasmPath = require.resolve("@prisma/schema-engine-wasm").replace(/schema_engine\.js$/, "schema_engine_bg.wasm");
const { instance } = await WebAssembly.instantiate(readFileSync(wasmPath), { "./schema_engine_bg.js": engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const current = "prisma/schema.prisma";
const previous = process.argv[2];
const datamodel = (file) => ({ tag: "schemaDatamodel", files: [{ path: current, content: readFileSync(file, "utf8") }] });
const adapter = { ...mockAdapter("sqlite"), dispose: async () => {} };
const factory = {
  provider: adapter.provider,
  adapterName: "offline",
  connect: async () => adapter,
  connectToShadowDb: async () => adapter,
};
const schemaEngine = await engine.SchemaEngine.new(
  { datamodels: [[current, readFileSync(current, "utf8")]] },
  () => {},
  bindMigrationAwareSqlAdapterFactory(factory),
);
const result = await schemaEngine.diff({
  from: previous ? datamodel(previous) : { tag: "empty" },
  to: datamodel(current),
  script: true,
  exitCode: null,
  shadowDatabaseUrl: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(result.stdout ?? "");
