import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import simpleImportSort from 'eslint-plugin-simple-import-sort'
import tseslint from 'typescript-eslint'

const typescript = ['**/*.ts', '**/*.tsx']
const tests = ['**/tests/**', '**/tests-js/**', 'e2e/**']

// Node 16 of Electron's oldest supported runtime lacks these; use Node's own modules instead.
const missingInNode16 = ['fetch', 'structuredClone', 'WebSocket', 'FormData', 'Headers', 'Response']

// Variables of CommonJS modules in addition to the globals.
const commonJs = ['require', 'module', 'exports', '__dirname', '__filename']

const rawIpc = {
  name: 'electron',
  importNames: ['ipcMain', 'ipcRenderer'],
  message: 'Use the typed table for IPC: electron/main/serve-ipc.ts and electron/preload/.',
}

export default defineConfig(
  globalIgnores(['out/', 'dist/', 'native/build/', 'docs/', 'test-results/', 'playwright-report/']),
  js.configs.recommended,
  {
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      // Order: side effects, Node, packages, our layers, this folder; no blank lines between them.
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
      // A leading underscore marks a name that must exist but isn't used.
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
          message: 'The mock would affect other tests: name the file *.isolated.test.ts.',
        },
      ],
    },
  },
  {
    files: ['electron/main/serve-ipc.ts', 'electron/preload/index.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    // Plain Node programs: no type checks, and Node's globals by name.
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [...Object.getOwnPropertyNames(globalThis), ...commonJs].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Tools expect a default export in their configuration.
    files: ['**/*.config.{js,ts}'],
    rules: { 'no-restricted-exports': 'off' },
  },
)
