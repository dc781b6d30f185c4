import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { obeyKeys } from '../../commands/pause-keys'
import { foregroundByStat, KeyInput, type KeySource } from '../../terminal/key-input'
import { Paper } from '../paper'

/** A terminal with a keyboard that the test operates. */
function keyboard() {
  const events = new EventEmitter()
  const raw: boolean[] = []
  const source = Object.assign(events, {
    setRawMode: (on: boolean) => raw.push(on),
    ...{ resume: () => events, pause: () => events, unref: () => undefined },
  }) as unknown as KeySource
  return { source, raw, type: (text: string) => events.emit('data', Buffer.from(text)) }
}

describe('keys', () => {
  it('arrive one by one in lower case, and control keys still send signals', () => {
    const { source, raw, type } = keyboard()
    const got: string[] = []
    const signals = { interrupt: () => got.push('^C'), suspend: () => got.push('^Z') }
    const keys = new KeyInput(source, signals, (key) => got.push(key))
    keys.resume()
    type('P q')
    type('\u0003\u001a')
    expect(got).toEqual(['p', ' ', 'q', '^C', '^Z'])
    keys.hold()
    type('x')
    expect(got).toHaveLength(5)
    expect(raw).toEqual([true, false])
  })

  it('are read only in the foreground', () => {
    expect(foregroundByStat('7 (a) b) R 1 7 7 34816 7 4194304 ')).toBe(true)
    expect(foregroundByStat('7 (a) R 1 7 7 34816 9 4194304 ')).toBe(false)
    expect(foregroundByStat('7 (a) R 1 7 7 0 -1 4194304 ')).toBe(false)
  })

  it('pause, resume and stop a transfer, and are named once', () => {
    let press: (key: string) => void = () => undefined
    class Typist extends Paper {
      override readKeys(onKey: (key: string) => void): () => void {
        press = onKey
        return () => undefined
      }
    }
    const terminal = new Typist()
    const done: string[] = []
    let paused = false
    obeyKeys(terminal, false, {
      isPaused: () => paused,
      pause: (wanted) => {
        paused = wanted
        done.push(wanted ? 'pause' : 'resume')
      },
      stop: () => done.push('stop'),
    })
    for (const key of [' ', 'p', 'x', 'q']) press(key)
    expect(done).toEqual(['pause', 'resume', 'stop'])
    expect(terminal.notes).toEqual(['Keys: space pauses and resumes, q stops.'])
  })

  it('are not listed without a terminal', () => {
    const paper = new Paper()
    const nothing = () => undefined
    obeyKeys(paper, false, { isPaused: () => false, pause: nothing, stop: nothing })()
    expect(paper.notes).toEqual([])
  })
})
