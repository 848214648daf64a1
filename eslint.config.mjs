// ESLint only for what needs types or counts lines; Biome does the rest.
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["server/db/generated/**", "node_modules/**", ".next*/**", "**/*.cjs", "**/*.mjs", "test-results/**", ".cache/**"] },
  {
    files: ["**/*.ts", "**/*.tsx", "**/*.mts"],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["**/*.test.ts", "**/*.test.tsx", "**/*.{contract,codex,live}-test.ts", "e2e/**"],
    rules: { "max-lines": ["error", { max: 600, skipBlankLines: true, skipComments: true }] },
  },
);
