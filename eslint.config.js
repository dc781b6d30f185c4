import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import reactHooks from 'eslint-plugin-react-hooks'
import simpleImportSort from 'eslint-plugin-simple-import-sort'
import tseslint from 'typescript-eslint'

const typescript = ['**/*.ts', '**/*.tsx']
const tests = ['**/tests/**', '**/tests-js/**', 'e2e/**']

// Electron's oldest supported runtime has Node 16, which lacks these; Node's own modules replace them.
const missingInNode16 = ['fetch', 'structuredClone', 'WebSocket', 'FormData', 'Headers', 'Response']

// What a CommonJS module finds beside the globals.
const commonJs = ['require', 'module', 'exports', '__dirname', '__filename']

const rawIpc = {
  name: 'electron',
  importNames: ['ipcMain', 'ipcRenderer'],
  message: 'IPC goes through the typed table: electron/main/serve-ipc.ts and electron/preload/.',
}

export default defineConfig(
  globalIgnores(['out/', 'dist/', 'native/build/', 'docs/', 'test-results/', 'playwright-report/']),
  js.configs.recommended,
  {
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      // Side effects, Node, packages, our layers, this folder; without blank lines between them.
      'simple-import-sort/imports': [
        'error',
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^#', '^', '^\\.']] },
      ],
      'max-lines': ['error', { max: 500 }],
      eqeqeq: 'error',
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      'no-restricted-imports': ['error', { paths: [rawIpc] }],
    },
  },
  {
    files: typescript,
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A leading underscore says that a position has to be filled, not that something was forgotten.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: ['client/**', 'electron/**', 'signaling/**', 'shared/**'],
    ignores: tests,
    rules: { 'no-restricted-globals': ['error', ...missingInNode16] },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: tests,
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: tests,
    ignores: ['**/*.isolated.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'vi',
          property: 'mock',
          message: 'Other tests see the module too: name the file *.isolated.test.ts.',
        },
      ],
    },
  },
  {
    files: ['electron/main/serve-ipc.ts', 'electron/preload/index.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    // Plain Node programs: no types to check, Node's globals by name.
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [...Object.getOwnPropertyNames(globalThis), ...commonJs].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Tools look for a default export in their configuration.
    files: ['**/*.config.{js,ts}'],
    rules: { 'no-restricted-exports': 'off' },
  },
)
