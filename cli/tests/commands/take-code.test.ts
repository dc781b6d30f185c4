import { describe, expect, it } from 'vitest'
import { type AppError } from '#shared/errors'
import { err, ok } from '#shared/result'
import { type CodeSources, codeTaker, completions, tryCodes } from '../../commands/take-code'
import { type ExitCode, exitCodes } from '../../exit-codes'
import type { Reporter } from '../../report/reporter'
import type { StopSignal } from '../../terminal/stop-signal'
import type { Terminal } from '../../terminal/terminal'

const code = '4821-apple-kayak-onion'
const never = new Promise<StopSignal>(() => undefined)

/** A terminal on which a person gives these `answers` in turn, then none. */
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
    codeTaker(argument, sources)({ reporter, terminal, stopped })
  return { take, failures, notes }
}

const given = ok({ code, server: null, wasAsked: false })
const asked = ok({ code, server: null, wasAsked: true })

describe('a code that does not lead to a share', () => {
  const terminal = { canAsk: true, note: () => undefined } as unknown as Terminal
  const reporter = {} as unknown as Reporter

  const attempts = (argument: string | undefined, ends: readonly ExitCode[]) => {
    const tried: string[] = []
    const rest = [...ends]
    const ask = () => Promise.resolve(code)
    const take = codeTaker(argument, { variable: undefined, readLine: ask, ask })
    const end = tryCodes(take, { reporter, terminal, stopped: never }, (one) => {
      tried.push(one.code)
      return Promise.resolve(rest.shift() ?? exitCodes.complete)
    })
    return { tried, end }
  }

  it('is asked for again if a person typed it', async () => {
    const { tried, end } = attempts(undefined, [exitCodes.code, exitCodes.code])
    expect(await end).toBe(exitCodes.complete)
    expect(tried).toHaveLength(3)
  })

  it('ends the command if it was an argument, like any other error', async () => {
    expect(await attempts(code, [exitCodes.code]).end).toBe(exitCodes.code)
    expect(await attempts(undefined, [exitCodes.disk]).end).toBe(exitCodes.disk)
  })
})

describe('a code of a command', () => {
  it('is its argument, whatever the variable says', async () => {
    const { take } = rig({ variable: '9999-apple-kayak-onion' })
    expect(await take(' 4821 Apple KAY onion')).toEqual(given)
  })

  it('is the first line of standard input for -', async () => {
    const { take } = rig({ readLine: () => Promise.resolve(`${code}\r`) })
    expect(await take('-')).toEqual(given)
  })

  it('is the variable without an argument; an empty variable is ignored', async () => {
    expect(await rig({ variable: code }).take()).toEqual(given)
    expect(await rig({ variable: '' }, [code]).take()).toEqual(asked)
  })

  it('is asked for again while it is wrong, and the wrong word is named', async () => {
    const { take, notes, failures } = rig({}, ['', '4821-aple-kayak-onion', code])
    expect(await take()).toEqual(asked)
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('"aple" isn\'t a join-code word.')
    expect(notes[0]).toContain('Did you mean apple?')
    expect(failures).toEqual([])
  })

  it('ends the command if it is missing', async () => {
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

it('CODE-09 removes THRU_CODE once it is read', async () => {
  process.env['THRU_CODE'] = code
  const { codeVariable } = await import('../../terminal/scrub-secrets')
  expect(codeVariable).toBe(code)
  expect(process.env['THRU_CODE']).toBeUndefined()
})

it('Tab completes a word after three letters', () => {
  expect(completions('4821-apple-ka')).toEqual([[], '4821-apple-ka'])
  expect(completions('4821-apple-kay')).toEqual([['4821-apple-kayak-'], '4821-apple-kay'])
})
