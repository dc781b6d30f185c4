import { describe, expect, it } from 'vitest'
import type { FileChanges } from '#shared/files'
import { allFetched } from '#shared/testing/figures'
import { currentText, fileLines, withoutTexts } from '../../report/file-text'
import { JsonReporter } from '../../report/json-reporter'
import { PlainReporter } from '../../report/plain-reporter'
import { ProgressDisplay } from '../../report/progress-display'
import { accepted, connected, joined, opened, Paper, peer, report, share } from '../paper'

const changes: FileChanges = {
  files: [
    { path: 'a\u202e.txt', size: 2000, state: 'saved' },
    { path: 'b', size: 0, state: 'present' },
    { path: 'c', size: 5, state: 'skipped' },
    { path: 'd', size: 5, state: 'failed' },
  ],
  more: 1234,
  active: ['photos/x.jpg', 'y'],
  activeFiles: 3,
}

describe('files of a transfer in words', () => {
  it('have one line each, and a count of the rest', () => {
    expect(fileLines(changes, null)).toEqual([
      'Saved a\\u{202e}.txt · 2.0 kB',
      'Already there b · 0 B',
      'Skipped c · 5 B',
      'and 1,234 more files',
    ])
    expect(fileLines({ ...changes, files: [], more: 1 }, 'Mina')).toEqual(['Mina: and 1 more file'])
  })

  it('exclude texts, which are only shown', () => {
    const items = [{ id: 0, name: 'b', kind: 'text', files: 1, bytes: 0 }] as const
    expect(withoutTexts(changes, items).files.map(({ path }) => path)).toEqual([
      ...['a\u202e.txt', 'c', 'd'],
    ])
  })

  it('are named while they are active', () => {
    expect(currentText(changes)).toBe('photos/x.jpg and 2 more')
    expect(currentText({ ...changes, activeFiles: 1 })).toBe('photos/x.jpg')
    expect(currentText({ ...changes, active: [], activeFiles: 0 })).toBe('')
  })

  it('are reported for each receiver, and in JSON', () => {
    const event = { atMs: 9, type: 'receiver-files-changed', share, peer, ...changes } as const
    const events = [opened, joined, connected, accepted, event]
    const paper = report((terminal) => new PlainReporter(terminal, { verbose: true }), events)
    expect(paper.notes).toContain('Jonas: Skipped c · 5 B')
    const json = report((terminal) => new JsonReporter(terminal), events)
    expect(JSON.parse(json.printed.at(-1) ?? '')).toMatchObject({ type: 'files', peer, more: 1234 })
  })

  it('are not drawn without a terminal', () => {
    const paper = new Paper()
    const progress = new ProgressDisplay(paper)
    progress.setCurrent('p', 'photos/x.jpg')
    const samples = [{ atMs: 0, bytes: 0 }]
    const counters = {
      files: 0,
      bytes: 1,
      totalFiles: 2,
      totalBytes: 10,
      transferred: 1,
      ...allFetched,
    }
    for (const atMs of [0, 3000]) progress.show('p', 'Jonas', { ...counters, samples }, atMs)
    expect(paper.notes).toHaveLength(1)
    expect(paper.notes[0]).not.toContain('x.jpg')
  })
})
