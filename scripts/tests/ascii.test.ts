import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { asciiOnly } from '../lib/ascii.mjs'

const bundle = '// a — b\nreturn [/〇/.test("\\u3007"), /^[😀]$/u.test("\\ud83d\\ude00")]'

it('escapes other characters than ASCII, and patterns match as before', () => {
  const program = asciiOnly(bundle)
  expect(Buffer.from(program).every((byte) => byte < 128)).toBe(true)
  const run = (text: string) => runInThisContext(`(() => {${text}\n})()`) as readonly unknown[]
  expect(run(program)).toEqual([true, true])
  expect(run(program)).toEqual(run(bundle))
  expect(run(Buffer.from(bundle).toString('latin1'))).toEqual([false, false])
})
