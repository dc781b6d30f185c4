import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { root } from '../lib/cache.mjs'

const unsorted = `import { b, type A, c as a } from './b'
import '#shared/first'
import c from '../c'
import { z } from 'zod'
import { join } from 'node:path'
import './effect'
// The comment stays.
import y from './y'
import x from './x'
console.log(a, b, c, z, join, x, y)
`
const sorted = `import '#shared/first'
import './effect'
import { join } from 'node:path'
import { z } from 'zod'
import c from '../c'
import { type A, b, c as a } from './b'
// The comment stays.
import x from './x'
import y from './y'
console.log(a, b, c, z, join, x, y)
`

it('sorts imports and their names', () => {
  const folder = folderOfTest()
  const file = join(folder, 'a.ts')
  const config = join(folder, 'config.json')
  writeFileSync(file, unsorted)
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [join(root, 'scripts/lint/import-order.mjs')],
      categories: { correctness: 'off' },
      rules: { 'ours/import-order': 'error' },
    }),
  )
  execFileSync(join(root, 'node_modules/.bin/oxlint'), ['--config', config, '--fix', file])
  expect(readFileSync(file, 'utf8')).toBe(sorted)
})
