import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { visibleText } from '#shared/format/visible-text'
import { emptyState } from '#shared/state/app-state'
import type { ConnectionStatistics } from '#shared/state/connection-statistics'
import { allFetched } from '#shared/testing/figures'
import { statisticsExample } from '#shared/tests/statistics-example'
import { errorText, outcomeText, routeText } from '../report/event-text'
import { jsonLine, JsonReporter } from '../report/json-reporter'
import { PlainReporter } from '../report/plain-reporter'
import { progressText } from '../report/progress-display'
import {
  accepted,
  code,
  coded,
  connected,
  finished,
  inJson,
  inWords,
  joined,
  opened,
  outcome,
  peer,
  progressed,
  receive,
  report,
  route,
  share,
  transfer,
} from './paper'

/** The same code, assigned by a server. */
const codedBy = { ...coded, server: 'wss://example.org/v1' } as const

describe('names in the terminal', () => {
  it('escapes characters that move the cursor or reverse the text', () => {
    expect(visibleText('a\u001b[2Jb\r\n\u0007c\u009bd\u202ee')).toBe(
      'a\\u{1b}[2Jb\\u{d}\\u{a}\\u{7}c\\u{9b}d\\u{202e}e',
    )
  })

  it('keeps names of all languages', () => {
    expect(visibleText('Übersicht 日本語 🏖 ‘x’')).toBe('Übersicht 日本語 🏖 ‘x’')
  })
})

describe('words', () => {
  it('name the route', () => {
    expect(routeText('Jonas', route)).toBe('Jonas is connected directly (IPv6).')
    expect(routeText('Jonas', { ...route, kind: 'local' })).toBe(
      'Jonas is connected on the local network.',
    )
    const relay = { kind: 'relay', relay: '203.0.113.9:443', transport: 'tcp' } as const
    expect(routeText('Jonas', { ...route, ...relay })).toBe(
      "Jonas is connected through the relay 203.0.113.9:443 (TCP), which can't read your files.",
    )
  })

  const ended = { ...outcome, startedAtMs: 0, endedAtMs: 548_000 }
  const asSender = { side: 'sender', route, texts: 0 } as const
  const asReceiver = { side: 'receiver', route: null, texts: 0 } as const

  it('show the result', () => {
    expect(outcomeText(ended, asSender)).toBe(
      'Verified. 2 files · 61.9 GB in 9 min 8 s · 113 MB/s · direct',
    )
    expect(outcomeText({ ...ended, transferred: 0 }, asReceiver)).toBe(
      'Verified. 2 files · 61.9 GB in 9 min 8 s',
    )
    expect(outcomeText({ ...ended, files: 1279, problems: 3 }, asSender)).toBe(
      'Done with 3 problems · 1,279 files verified · 61.9 GB in 9 min 8 s · 113 MB/s · direct',
    )
    expect(outcomeText({ ...ended, files: 0, bytes: 0, problems: 3 }, asReceiver)).toMatch(
      /^Done with 3 problems · nothing received · 0 B in /,
    )
    expect(outcomeText({ ...ended, renamed: 1 }, asSender)).toContain('1 file was renamed')
    expect(outcomeText({ ...ended, renamed: 2 }, asSender)).toContain('2 files were renamed')
  })

  it('call only received files verified, and count uncompared ones', () => {
    const some = {
      ...ended,
      files: 3,
      bytes: 2e9,
      identical: 1,
      identicalBytes: 8e8,
      uncompared: 1,
    }
    const fewer = { ...some, transferred: 1.2e9 }
    expect(outcomeText(fewer, asReceiver)).toBe(
      'Verified. 2 files · 1.2 GB in 9 min 8 s · 2.2 MB/s · 1 file was already here (same size and time, not compared)',
    )
    expect(outcomeText({ ...fewer, uncompared: 0 }, asSender)).toMatch(
      / · direct · 1 file was already there \(same content\)$/,
    )
    const all = { ...some, files: 3, identical: 3, identicalBytes: 2e9, uncompared: 3 }
    expect(outcomeText(all, asReceiver)).toBe(
      'Nothing new: 3 files were already here (same size and time, not compared)',
    )
    expect(outcomeText({ ...all, uncompared: 2 }, asSender)).toBe(
      'Nothing new: 3 files were already there (2 of them by size and time, not compared)',
    )
  })

  it('call nothing verified where there were no files', () => {
    const none = { ...ended, files: 0, bytes: 0, offeredFiles: 0, transferred: 0 }
    for (const of of [asSender, asReceiver]) {
      expect(outcomeText(none, of)).toBe('Done. No files were offered, only folders or links')
    }
  })

  it('show a time and a rate only for transferred bytes', () => {
    const resumed = { ...ended, bytes: 120e6, transferred: 70e6 }
    expect(outcomeText(resumed, { ...asReceiver, resumedBytes: 50e6 })).toBe(
      'Verified. 2 files · 120 MB, 70.0 MB of it in 9 min 8 s · 128 kB/s',
    )
    const updated = { ...ended, bytes: 120e6, reusedBytes: 50e6, transferred: 70e6 }
    expect(outcomeText(updated, asReceiver)).toBe(
      outcomeText(resumed, { ...asReceiver, resumedBytes: 50e6 }),
    )
    const failed = { ...ended, problems: 1, bytes: 10, transferred: 54e6 }
    expect(outcomeText(failed, asReceiver)).toBe(
      'Done with 1 problem · 2 files verified · 10 B in 9 min 8 s',
    )
  })

  it('say what part of the offer was wanted, and by whom', () => {
    const part = { ...ended, offeredFiles: 3000, unwantedFiles: 100 }
    expect(outcomeText(part, asSender)).toMatch(/ · 2,900 of 3,000 files, their choice$/)
    expect(outcomeText(part, asReceiver)).toMatch(/ · 2,900 of 3,000 files, your choice$/)
  })

  it('count texts separately', () => {
    expect(outcomeText({ ...ended, files: 3003 }, { ...asReceiver, texts: 1 })).toMatch(
      /^Verified\. 3,002 files and 1 text · /,
    )
  })

  it('show no rate for less than a second or for holes', () => {
    expect(outcomeText({ ...ended, endedAtMs: 15 }, asReceiver)).toBe(
      'Verified. 2 files · 61.9 GB in less than a second',
    )
    expect(outcomeText({ ...ended, transferred: 104 }, asReceiver)).toBe(
      'Verified. 2 files · 61.9 GB in 9 min 8 s',
    )
    const resumed = { ...ended, transferred: 5_480_000 }
    expect(outcomeText(resumed, { ...asReceiver, resumedBytes: 61_894_520_000 })).toContain(
      ' · 10.0 kB/s',
    )
  })

  it('show the progress', () => {
    const samples = Array.from({ length: 40 }, (_, index) => ({
      atMs: index * 250,
      bytes: index * 25_000_000,
    }))
    const progress = {
      files: 0,
      totalFiles: 2,
      bytes: 975e6,
      totalBytes: 19_975e6,
      transferred: 0,
      ...allFetched,
      samples,
    }
    expect(progressText(progress, 9750)).toBe('4% · 100 MB/s · 1.0 of 20.0 GB · 3 min 10 s left')
    expect(progressText({ ...progress, samples: [] }, 0)).toBe('4% · 1.0 of 20.0 GB')
    expect(progressText(progress, 9750, true)).toBe('4% · 1.0 of 20.0 GB')
  })

  it('print only the code on standard output, and its usage on standard error', () => {
    const { printed, notes } = inWords(opened, codedBy)
    expect(printed).toEqual([`Code: ${code}`])
    expect(notes).toEqual([
      `To receive: thru join ${code} --server-url wss://example.org`,
      'Ctrl-C ends the share.',
    ])
  })

  it('say how far a code leads without a server', () => {
    expect(inWords(opened, coded).notes).toEqual([
      `To receive: thru join ${code}`,
      'The code works on this network only. To reach others, use public meeting points with --meeting, or set a server with --server-url.',
      'Ctrl-C ends the share.',
    ])
  })

  it('say once why a server fails, what works until then, and when it is back', () => {
    const error = appError('E_SERVER_PASSWORD', 'no password is set', 'example.org')
    const server = { phase: 'unreachable', url: 'wss://example.org/v1', error } as const
    const failed = { atMs: 0, type: 'server-changed', server } as const
    const away = { ...codedBy, serverAway: true } as const
    const { notes } = inWords(opened, failed, away, failed, codedBy, away)
    expect(notes).toEqual([
      expect.stringMatching(
        /^"example.org" requires a password, and none is set.*--server-password/,
      ),
      `To receive: thru join ${code} --server-url wss://example.org`,
      'Until this computer can use the server, the code works on this network only.',
      'Ctrl-C ends the share.',
      'The code now works from other networks, too.',
      'Until this computer can use the server, the code works on this network only.',
    ])
    expect(inWords(opened, away).notes).toContain(
      'Until the server answers, the code works on this network only.',
    )
    const scopes = inJson(opened, away, codedBy).map((line) => (line as { reach?: string }).reach)
    expect(scopes).toEqual(['network', 'anywhere'])
  })

  it('name the fallback server if it has the share', () => {
    const away = { ...codedBy, serverAway: true } as const
    const behind = { ...coded, server: 'wss://example.net/v1' } as const
    const { notes } = inWords(opened, away, behind, away, behind)
    expect(notes.filter((line) => line.includes('--server-url'))).toEqual([
      `To receive: thru join ${code} --server-url wss://example.org`,
      `To receive: thru join ${code} --server-url wss://example.net`,
    ])
  })

  it('count left-out entries, which one problem may represent', () => {
    const counted = { files: 2, folders: 1, bytes: 10, complete: true, leftOut: 1001 }
    const problem: AppEvent = {
      ...{ atMs: 1, type: 'share-problem', share, path: '' },
      error: appError('E_LIMIT_EXCEEDED', '', ''),
    }
    const events: AppEvent[] = [
      opened,
      problem,
      { atMs: 2, type: 'share-counted', share, totals: counted },
    ]
    expect(inWords(...events).notes).toEqual([
      expect.stringContaining('than a share can hold, so the rest is left out.'),
      '2 files · 10 B · 1,001 left out',
    ])
    expect(inJson(...events)).toContainEqual({
      ...{ type: 'scan', files: 2, folders: 1, bytes: 10, leftOut: 1001 },
    })
  })

  it('warn once on standard error about an unencrypted server connection', () => {
    const url = 'ws://example.org/v1'
    const server = { phase: 'connected', url, embedded: false, insecure: true } as const
    const reached = { atMs: 0, type: 'server-changed', server } as const
    const { printed, notes } = inWords(opened, reached, reached)
    expect(printed).toEqual([])
    expect(notes).toEqual([expect.stringContaining('is not encrypted')])
    expect(jsonLine(reached, emptyState('/downloads'))).toEqual({ type: 'server', ...server })
  })

  it('contain only the code, the result and problems with --quiet', () => {
    const quiet = (...events: readonly AppEvent[]) =>
      report((terminal) => new PlainReporter(terminal, { quiet: true }), events)
    const problem: AppEvent = {
      ...{ atMs: 2, type: 'share-problem', share, path: 'a/b' },
      error: appError('E_PATH_UNREADABLE', 'EACCES', 'a/b'),
    }
    const { printed, notes } = quiet(
      ...[opened, problem, coded, joined, connected, accepted],
      ...[progressed(1000, 0), progressed(20_000, 1e9), finished],
    )
    expect(printed).toEqual([`Code: ${code}`])
    expect(notes).toEqual([
      expect.stringContaining("can't be read"),
      expect.stringMatching(/^Jonas: Verified\./),
    ])
  })

  it('report each step with --verbose', () => {
    const { notes } = report(
      (terminal) => new PlainReporter(terminal, { verbose: true }),
      [opened, coded, joined, connected],
    )
    expect(notes).toContain('Route to Jonas: direct · IPv6 · UDP · [2001:db8::7]:5000')
  })

  it('report the bottleneck with --verbose every ten seconds and at the end', () => {
    const measured = (atMs: number): AppEvent => ({
      ...{ atMs, type: 'receiver-measured', share, peer },
      statistics: statisticsExample,
    })
    const events = [
      ...[opened, joined, connected, accepted],
      ...[measured(1000), measured(2000), measured(11_000), finished],
    ]
    const line =
      'Connection to Jonas: limited by pacing (so far pacing 71%, congestion 20%, disk 9%)' +
      ' · RTT 40 ms (minimum 39 ms) · 11.8 MB/s · bbr window 1.2 MB, 480 kB in flight' +
      ' · began at an earlier rate · paced at 12.5 MB/s · 100 of 20,000 packets lost, 12 of these only late · compression saved 7.1 MB · datagrams of 1,452 bytes, 31.3 per send and 1.5 per receive'
    const { notes } = report((terminal) => new PlainReporter(terminal, { verbose: true }), events)
    expect(notes.filter((note) => note.startsWith('Connection to'))).toEqual([line, line, line])
    expect(inWords(...events).notes).not.toContain(line)
    expect(inJson(measured(1000))).toEqual([{ type: 'statistics', peer, ...statisticsExample }])
  })

  it('report the gaps of a qlog with --verbose', () => {
    const words = (qlog: ConnectionStatistics['qlog']) => {
      const statistics = qlog === undefined ? statisticsExample : { ...statisticsExample, qlog }
      const event: AppEvent = { atMs: 1000, type: 'receiver-measured', share, peer, statistics }
      const { notes } = report(
        (terminal) => new PlainReporter(terminal, { verbose: true }),
        [opened, joined, connected, accepted, event],
      )
      return notes.at(-1)
    }
    expect(words(undefined)).not.toContain('qlog')
    expect(words({ bytes: 2_000_000, dropped: 0, ended: '' })).toMatch(/ · qlog 2\.0 MB$/)
    expect(words({ bytes: 0, dropped: 3, ended: 'E_DISK_FULL' })).toMatch(
      / · qlog 0 B, 3 records left out, ended by E_DISK_FULL$/,
    )
  })

  it('print a code again only when it has changed', () => {
    const other = '5000-apple-river-stone'
    const { printed } = inWords(opened, coded, coded, { ...coded, code: other })
    expect(printed).toEqual([`Code: ${code}`, `Code: ${other}`])
  })

  it('report a receiver from beginning to end', () => {
    const { notes } = inWords(
      ...[opened, joined, connected, accepted],
      ...[
        progressed(1000, 0),
        progressed(2000, 1e9),
        progressed(3000, 2e9),
        progressed(13_000, 31_000_000_000),
      ],
      finished,
    )
    expect(notes).toEqual([
      'Jonas is connected directly (IPv6).',
      'Jonas is reviewing your files.',
      'Jonas is receiving.',
      expect.stringMatching(/^Jonas 3% · /),
      expect.stringMatching(/^Jonas 50% · .* GB\/s · 31\.0 of 61\.9 GB · \d+ s left$/),
      'Jonas: Verified. 2 files · 61.9 GB in 9 min 8 s · 113 MB/s · direct',
    ])
  })

  it('report strangers only for a wrong code', () => {
    const failed = (error: string): AppEvent => ({
      ...{ atMs: 3, type: 'receiver-failed', share, peer },
      error: appError(error as 'E_PEER_GONE'),
    })
    expect(inWords(opened, failed('E_PEER_GONE')).notes).toEqual([])
    const guessed = (wrong: number): AppEvent => ({
      ...{ atMs: 3, type: 'share-guessed', share },
      guesses: { wrong, locked: false, spent: false },
    })
    // The same words also fail at the share's other server, and count once.
    const twice = [guessed(1), failed('E_CODE_MISMATCH'), failed('E_CODE_MISMATCH'), guessed(1)]
    expect(inWords(opened, ...twice).notes).toEqual(['Someone entered a wrong code.'])
    expect(inWords(opened, joined, failed('E_PEER_GONE')).notes).toEqual([
      expect.stringMatching(/^A receiver stopped responding\..*\.$/),
    ])
  })

  it('are named with --verbose', () => {
    const error = appError('E_PEER_GONE', 'no packet for 120 s')
    const failed: AppEvent = { atMs: 3, type: 'share-failed', share, error }
    const named = / \[E_PEER_GONE: no packet for 120 s\]$/
    expect(inWords(opened, failed).notes.at(-1)).not.toMatch(named)
    const { notes } = report(
      (terminal) => new PlainReporter(terminal, { verbose: true }),
      [opened, failed],
    )
    expect(notes.at(-1)).toMatch(named)
  })
})

describe('an ended code', () => {
  const declined: AppEvent = {
    ...{ atMs: 5, type: 'receiver-failed', share, peer },
    error: appError('E_DECLINED'),
  }
  const over = { atMs: 4, type: 'share-code-ended', share, why: 'one-receiver' } as const

  it('is not suggested after a decline', () => {
    const heard = (...more: readonly AppEvent[]) =>
      inWords(opened, coded, joined, connected, ...more, declined).notes.at(-1)
    expect(heard()).toContain('The same code works')
    expect(heard(over)).toContain('This code no longer works')
  })
})

describe('JSON', () => {
  it('has one object for each step', () => {
    expect(
      inJson(
        ...[opened, coded, joined, connected, accepted, progressed(1000, 0)],
        ...[progressed(2000, 1000), finished, { atMs: 9, type: 'share-stopped', share } as const],
      ),
    ).toEqual([
      { type: 'code', code, link: `thruflux:join?v=1&c=${code}`, reach: 'network' },
      { type: 'connected', peer, name: 'Jonas', route },
      { type: 'accepted', peer },
      expect.objectContaining({ type: 'progress', peer, bytes: 0, bytesPerSecond: null }),
      expect.objectContaining({ type: 'progress', peer, bytes: 1000, bytesPerSecond: 1000 }),
      { type: 'done', peer, ...outcome, durationMs: 548_000 },
      { type: 'stopped' },
    ])
  })

  it('reports a changed route, like words', () => {
    const by = { atMs: 10, share, peer } as const
    const changed = { ...by, type: 'receiver-route-changed', route } as const
    const relayed = { ...route, kind: 'relay', relay: 'relay:3478' } as const
    const events = [opened, joined, { ...connected, route: relayed }, changed]
    expect(inJson(...events).at(-1)).toEqual({ type: 'route-changed', peer, route })
    expect(inWords(...events).notes.at(-1)).toBe('Jonas is connected directly (IPv6).')
  })

  it('has progress at most four times a second for each receiver', () => {
    const events = Array.from({ length: 100 }, (_, index) => progressed(index * 100, index))
    const lines = inJson(opened, joined, connected, accepted, ...events)
    expect(lines.filter((line) => (line as { type: string }).type === 'progress').length).toBe(34)
  })

  it('reports an offer and an error with stable names', () => {
    const items = [{ id: 0, name: 'a', kind: 'file', files: 1, bytes: 5 }] as const
    const totals = { files: 1, folders: 0, bytes: 5, complete: true }
    const error = appError('E_DISK_FULL', 'ENOSPC')
    expect(
      inJson(
        { atMs: 0, type: 'receive-opened', receive, code, transfer },
        { atMs: 1, type: 'receive-connected', receive, from: 'Mina', route },
        { atMs: 2, type: 'receive-offered', receive, title: 'a', items, totals },
        { atMs: 3, type: 'receive-failed', receive, error },
      ).slice(1),
    ).toEqual([
      {
        type: 'offer',
        from: 'Mina',
        title: 'a',
        items,
        files: 1,
        folders: 0,
        bytes: 5,
        leftOut: [],
        receive,
      },
      {
        type: 'error',
        code: 'E_DISK_FULL',
        detail: 'ENOSPC',
        what: expect.any(String) as string,
        remedy: expect.any(String) as string,
        receive,
      },
    ])
  })

  it('names the option where the window has a field', () => {
    const error = appError('E_SERVER_PASSWORD', 'no password is set', 'team.example')
    const events = [
      { atMs: 0, type: 'receive-opened', receive, code, transfer },
      { atMs: 1, type: 'receive-failed', receive, error },
    ] as const
    const remedy = expect.stringContaining('--server-password-file') as string
    expect(inJson(...events).at(-1)).toMatchObject({ code: 'E_SERVER_PASSWORD', remedy })
    expect(errorText(error)).toContain('--server-password-file')
    expect(errorText(error)).not.toContain('Settings >')
    expect(errorText(appError('E_NOT_DIRECT'))).toContain('--relay never')
  })

  it('is safe to print without losing information', () => {
    const name = 'a\u001b[2J\u009b\u202eb'
    const paper = report(
      (terminal) => new JsonReporter(terminal),
      [opened, joined, { ...connected, name }],
    )
    const [text = ''] = paper.printed
    expect(visibleText(text)).toBe(text)
    expect(JSON.parse(text)).toMatchObject({ name })
  })
})

it('a receiver that is lost in the middle of a stream is not told to use the code again', () => {
  const events: readonly AppEvent[] = [
    ...[opened, joined, connected, accepted, progressed(2000, 5_000_000)],
    {
      ...{ atMs: 1, type: 'share-listed', share, title: 'data' },
      items: [{ id: 0, name: 'data', kind: 'stream', files: 1, bytes: 0 }],
    },
    { atMs: 3000, type: 'receiver-failed', share, peer, error: appError('E_PEER_GONE') },
  ]
  expect(inWords(...events).notes.at(-1)).toContain(
    'The connection to Jonas was lost in the middle of the stream.',
  )
  expect(inJson(...events).at(-1)).toMatchObject({ code: 'E_PEER_GONE', peer })
})
