/** Shares that ask a person on a terminal to approve each receiver. */
import { expect, it } from 'vitest'
import { programRig } from './program-rig'
import { linesOf, type Thru } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const { at, thru } = programRig('approval')

/** A share with approval on a terminal, and its code. */
async function approving(...args: readonly string[]) {
  writeTree(at('src'), { 'secret-plans.bin': bytesOf('plans', 300_000) })
  const options = ['--approve', '--name', 'Mina', ...args]
  const sender = thru(['host', at('src'), ...options], { isOnTerminal: true })
  const [code] = await sender.match(/\d{4,6}(?:-[a-z]+){3}/)
  return { sender, code }
}

const join = (code: string, name: string): Thru =>
  thru(['join', code, '--out', at(name), '--yes', '--json', '--name', name])

const asks = (name: string) => new RegExp(`${name} wants to receive .*\\[y/N\\]`)

it('are answered by y and n for one receiver at a time, and reveal nothing before', async () => {
  const { sender, code } = await approving()
  const eve = join(code, 'Eve')
  const waiting = await eve.line('approval-requested')
  const jonas = join(code, 'Jonas')
  await jonas.line('approval-requested')
  const [question] = await sender.match(asks('Eve'))
  expect(question.replace(/\D/g, '')).toBe(waiting['number'])
  sender.type('n\n')
  const refused = await eve.ended
  expect(refused.exitCode).toBe(11)
  expect(linesOf(refused.stdout).find(({ type }) => type === 'error')).toMatchObject({
    code: 'E_REFUSED',
  })
  expect(refused.stdout + refused.stderr).not.toMatch(/secret-plans|"offer"|300000/)
  await sender.match(asks('Jonas'))
  sender.type('y\n')
  expect(await jonas.ended).toMatchObject({ exitCode: 0 })
  expect(hashTree(at('Jonas', 'src'))).toEqual(hashTree(at('src')))
})

it.each([['--json'], []])('are refused if nobody can be asked: %s', async (...args) => {
  writeTree(at('src'), { 'a.txt': 'a' })
  const { exitCode, stdout, stderr } = await thru(['host', at('src'), '--approve', ...args]).ended
  expect(exitCode).toBe(2)
  expect(stdout + stderr).toContain("Receivers can't be approved here")
})
