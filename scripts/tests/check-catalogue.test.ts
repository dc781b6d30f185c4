import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkCatalogue, idsIn } from '../check-catalogue.mjs'
import { root } from '../lib/cache.mjs'

describe('idsIn', () => {
  it.each([
    ["test('IPC-05 and IPC-08 nothing opens')", ['IPC-05', 'IPC-08']],
    ['// MAN-03, 04, 05', ['MAN-03', 'MAN-04', 'MAN-05']],
    [
      '// PATH-06, -09 to -12, -16',
      ['PATH-06', 'PATH-09', 'PATH-10', 'PATH-11', 'PATH-12', 'PATH-16'],
    ],
    ['// SIG-12: UTF-16 of AES-128 and CVE-2024', ['SIG-12']],
  ])('finds in "%s" what is meant', (text, ids) => {
    expect(idsIn(text)).toEqual(ids)
  })
})

describe('the catalogue of a checkout', () => {
  let dir: string
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'thru-catalogue-'))
    write('shared/tests/a.test.ts', "it('MAN-01 is tested')")
  })
  afterEach(() => {
    rmSync(dir, { recursive: true })
  })

  it('is right when each id has a row with its files', () => {
    write('docs/test-catalogue.md', '| MAN-01 | Is tested. | `shared/tests/a.test.ts` |\n')
    expect(checkCatalogue(dir)).toEqual([])
  })

  it('lacks an id that a test names', () => {
    write('docs/test-catalogue.md', '')
    expect(checkCatalogue(dir).join()).toContain('names MAN-01: add a row')
  })

  it('counts the tests of scripts, too', () => {
    write('docs/test-catalogue.md', '| MAN-01 | Is tested. | `shared/tests/a.test.ts` |\n')
    write('scripts/tests/b.test.ts', "it('MAN-02 is tested')")
    expect(checkCatalogue(dir).join()).toContain('names MAN-02: add a row')
  })

  it('may not list what no test names', () => {
    write(
      'docs/test-catalogue.md',
      '| MAN-01 | Is tested. | `shared/tests/a.test.ts` |\n| MAN-02 | Is not. | `shared/tests/a.test.ts` |\n',
    )
    expect(checkCatalogue(dir).join()).toContain('no test names MAN-02')
  })

  it('names no file without the id', () => {
    write('docs/test-catalogue.md', '| MAN-01 | Is tested. | `shared/tests/gone.test.ts` |\n')
    expect(checkCatalogue(dir).join()).toContain('run npm run catalogue -- --fix')
  })
})

it('the catalogue of this checkout is right', () => {
  expect(checkCatalogue(root)).toEqual([])
})
