import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import { check, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import { clangFormatVersions } from '../check-format.mjs'
import { checkProjects } from '../check-types.mjs'
import { root } from '../lib/cache.mjs'
import { llvmProgram } from '../lib/llvm.mjs'

describe('eslint', () => {
  const eslint = new ESLint({ cwd: root })
  /** Rules that fire on `text` in place of a file. */
  const rulesFor = async (file: string, text: string) => {
    const [result] = await eslint.lintText(text, { filePath: join(root, file) })
    return result?.messages.map(({ ruleId }) => ruleId)
  }

  it.each([
    ['no-restricted-exports', 'export default 1\n'],
    ['no-restricted-imports', "import { ipcMain } from 'electron'\nipcMain.emit('x')\n"],
    ['no-restricted-globals', 'export const x: unknown = structuredClone({})\n'],
    ['max-lines', 'export {}\n'.repeat(501)],
    [
      '@typescript-eslint/consistent-type-imports',
      "import { Result } from './result'\nexport type X = Result<1, 2>\n",
    ],
  ])('has the rule %s', { timeout: 60_000 }, async (rule, text) => {
    expect(await rulesFor('shared/result.ts', text)).toContain(rule)
  })

  it('says nothing about clean code', { timeout: 60_000 }, async () => {
    expect(await rulesFor('shared/result.ts', 'export const x = 1\n')).toEqual([])
  })
})

describe('oxlint', () => {
  it.each([
    ['no-floating-promises', 'Promise.resolve(1)\n'],
    [
      'switch-exhaustiveness-check',
      "export const f = (x: 'a' | 'b') => {\n  switch (x) {\n    case 'a':\n      return 1\n  }\n}\n",
    ],
  ])('has the rule %s', { timeout: 60_000 }, (rule, text) => {
    const dir = mkdtempSync(join(tmpdir(), 'lint-'))
    try {
      writeFileSync(join(dir, 'tsconfig.json'), '{ "include": ["*.ts"] }')
      const findings = (code: string) => {
        writeFileSync(join(dir, 'a.ts'), code)
        const args = ['--config', join(root, '.oxlintrc.json'), '--format', 'unix', dir]
        const program = join(root, 'node_modules/.bin/oxlint')
        return spawnSync(program, args, { cwd: root, encoding: 'utf8' }).stdout
      }
      expect(findings(text)).toContain(`typescript(${rule})`)
      expect(findings('export const x = 1\n')).toBe('')
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})

it('prettier refuses code that is laid out differently', async () => {
  const filepath = join(root, 'shared/result.ts')
  const config = await resolveConfig(filepath)
  expect(await check('export const x = 1\n', { ...config, filepath })).toBe(true)
  expect(await check('export const  x = "1";\n', { ...config, filepath })).toBe(false)
})

it('clang-format refuses code that is laid out differently', () => {
  const status = (input: string) =>
    spawnSync(
      llvmProgram('clang-format', clangFormatVersions),
      ['--style=file', '--dry-run', '-Werror', '--assume-filename=native/src/base/a.cc'],
      { cwd: root, input },
    ).status
  expect(status('int main() { return 0; }\n')).toBe(0)
  expect(status('int main()\n{ return 0; }\n')).toBe(1)
})

it('the compiler refuses an index that may be missing', { timeout: 60_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'types-'))
  try {
    const config = { extends: join(root, 'tsconfig.base.json'), include: ['*.ts'] }
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(
      join(dir, 'a.ts'),
      'const list: number[] = []\nexport const x: number = list[0]\n',
    )
    expect(await checkProjects([dir])).toContain('error TS2322')
    writeFileSync(join(dir, 'a.ts'), 'const list: number[] = []\nexport const x = list[0]\n')
    expect(await checkProjects([dir])).toBe('')
  } finally {
    rmSync(dir, { recursive: true })
  }
})
