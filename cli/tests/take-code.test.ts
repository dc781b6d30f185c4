import { describe, expect, it } from 'vitest'
import { exitCodes } from '../exit-codes'
import type { Reporter } from '../reporter'
import type { StopSignal } from '../stop-signal'
import { type CodeSources, codeTaker, completions } from '../take-code'
import type { Terminal } from '../terminal'
import { type AppError } from '#shared/errors'
import { err, ok } from '#shared/result'

const code = '4821-apple-kayak-onion'
const never = new Promise<StopSignal>(() => undefined)

/** A terminal on which a person answers one after another of `answers`, then nothing. */
function rig(changes: Partial<CodeSources> = {}, answers: readonly string[] = [], canAsk = true) {
  const failures: AppError[] = []
  const notes: string[] = []
  const rest = [...answers]
  const sources: CodeSources = {
    variable: undefined,
    readLine: () => Promise.resolve(''),
    ask: () => Promise.resolve(rest.shift() ?? null),
    ...changes,
  }
  const reporter = { fail: (error: AppError) => failures.push(error) } as unknown as Reporter
  const terminal = { canAsk, note: (line: string) => notes.push(line) } as unknown as Terminal
  const take = (argument?: string, stopped = never) =>
    codeTaker(argument, sources)(reporter, terminal, stopped)
  return { take, failures, notes }
}

describe('a code of a command', () => {
  it('is its argument, whatever the variable says', async () => {
    const { take } = rig({ variable: '9999-apple-kayak-onion' })
    expect(await take(' 4821 Apple KAY onion')).toEqual(ok(code))
  })

  it('is the first line of standard input for -', async () => {
    const { take } = rig({ readLine: () => Promise.resolve(`${code}\r`) })
    expect(await take('-')).toEqual(ok(code))
  })

  it('is the variable without an argument, and an empty variable is none', async () => {
    expect(await rig({ variable: code }).take()).toEqual(ok(code))
    expect(await rig({ variable: '' }, [code]).take()).toEqual(ok(code))
  })

  it('is asked for again while it is wrong, and the wrong word is named', async () => {
    const { take, notes, failures } = rig({}, ['', '4821-aple-kayak-onion', code])
    expect(await take()).toEqual(ok(code))
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('"aple" is no word of join codes.')
    expect(notes[0]).toContain('it may be apple')
    expect(failures).toEqual([])
  })

  it('that nobody gives ends the command', async () => {
    expect(await rig().take()).toEqual(err(exitCodes.interrupted))
    const stop = (signal: StopSignal) =>
      rig({ ask: () => new Promise(() => undefined) }).take(undefined, Promise.resolve(signal))
    expect(await stop('SIGINT')).toEqual(err(exitCodes.interrupted))
    expect(await stop('SIGTERM')).toEqual(err(exitCodes.terminated))
  })

  it('can not be asked for without a terminal', async () => {
    const { take, failures } = rig({}, [code], false)
    expect(await take()).toEqual(err(exitCodes.usage))
    expect(failures).toMatchObject([{ code: 'E_BAD_ARGUMENT' }])
  })

  it.each(['', '4821', '4821-aple-kayak-onion', 'x'.repeat(300)])(
    'is refused as "%s" without asking',
    async (text) => {
      const { take, failures } = rig({}, [code])
      expect(await take(text)).toEqual(err(exitCodes.code))
      expect(failures).toMatchObject([{ code: 'E_BAD_CODE' }])
    },
  )
})

it('CODE-09 THRU_CODE is gone once it was read', async () => {
  process.env['THRU_CODE'] = code
  const { codeVariable } = await import('../started-with')
  expect(codeVariable).toBe(code)
  expect(process.env['THRU_CODE']).toBeUndefined()
})

it('Tab completes a word after three letters', () => {
  expect(completions('4821-apple-ka')).toEqual([[], '4821-apple-ka'])
  expect(completions('4821-apple-kay')).toEqual([['4821-apple-kayak-'], '4821-apple-kay'])
})
