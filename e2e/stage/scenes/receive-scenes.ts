/** Events that lead to each screen of a receive. */
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import type { ResumableReceive } from '#shared/state/app-state'
import {
  code,
  connected,
  folderOffer,
  GB,
  lectureSlides,
  MB,
  minute,
  type Offer,
  offer,
  outcome,
  projects,
  receiveId,
  receiving,
  rushesOffer,
  rushesRun,
  rushesTotals,
  transferId,
} from './scene-parts'

const interruptedRushes = (nowMs: number): ResumableReceive => ({
  transfer: transferId('rushes'),
  title: 'Kyoto rushes',
  from: 'Mina Park',
  directory: projects,
  options: defaultReceiveOptions,
  selection: selectAll,
  changes: [],
  bytes: 38.4 * GB,
  totalBytes: rushesTotals.bytes,
  lastSeenMs: nowMs - 9 * 60 * minute,
  hasResumeKey: true,
})

const note: Offer = {
  ...rushesOffer,
  title: 'Text',
  items: [{ id: 0, name: 'Text', kind: 'text', files: 1, bytes: 214 }],
  totals: { files: 1, folders: 0, bytes: 214, complete: true },
}

const rushesLeftOut = [
  {
    code: 'E_PATH_UNREADABLE',
    entries: 11,
    paths: ['Sound/private', 'Sound/caf\udce9.wav', 'Day 1/photo\u202egpj.mov'],
  },
  { code: 'E_LINK_OUTSIDE', entries: 1, paths: ['Day 2, Fushimi/archive'] },
] as const

export const receiveScenes = {
  home: () => [],

  'code-on-its-way': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    code('r1', nowMs),
    { atMs: nowMs, type: 'receive-found', receive: receiveId('r1') },
  ],

  'code-unknown': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    code('r1', nowMs),
    {
      atMs: nowMs,
      type: 'receive-failed',
      receive: receiveId('r1'),
      error: appError('E_NO_SUCH_CODE'),
    },
  ],

  preview: (nowMs: number): AppEvent[] => [
    connected(nowMs),
    ...offer({ ...rushesOffer, leftOut: rushesLeftOut }, nowMs),
  ],

  'preview-risky': (nowMs: number): AppEvent[] => {
    const dotFile = { id: 9, name: '.bashrc', kind: 'file', files: 1, bytes: 3_526 } as const
    const items = [dotFile, ...rushesOffer.items]
    return [connected(nowMs), ...offer({ ...rushesOffer, title: '5 items', items }, nowMs)]
  },

  receiving: (nowMs: number): AppEvent[] => [
    ...lectureSlides(nowMs),
    ...receiving(rushesOffer, projects, rushesRun, nowMs),
  ],

  done: (nowMs: number): AppEvent[] => [
    ...lectureSlides(nowMs),
    ...receiving(rushesOffer, projects, rushesRun, nowMs),
    {
      atMs: nowMs - 5 * minute + 548_000,
      type: 'receive-finished',
      receive: receiveId('r1'),
      outcome: outcome(1_282, rushesTotals.bytes, { renamed: 4, readBack: true }),
    },
  ],

  /** Part of one offer existed before and part isn't wanted; all of another existed before. */
  'done-before': (nowMs: number): AppEvent[] => {
    const atMs = nowMs - 5 * minute + 548_000
    const all = folderOffer('r2', 'Photo archive', 'Studio NAS')
    return [
      connected(nowMs),
      ...receiving(all, projects, rushesRun, nowMs),
      {
        ...{ atMs, type: 'receive-finished', receive: receiveId('r2') },
        outcome: outcome(1_282, rushesTotals.bytes, {
          ...{ identical: 1_282, identicalBytes: rushesTotals.bytes, uncompared: 1_282 },
          transferred: 0,
        }),
      },
      ...receiving(rushesOffer, projects, rushesRun, nowMs),
      {
        ...{ atMs, type: 'receive-finished', receive: receiveId('r1') },
        outcome: outcome(1_282, rushesTotals.bytes, {
          ...{ identical: 316, identicalBytes: 9.2 * GB, uncompared: 316 },
          ...{
            offeredFiles: 1_382,
            unwantedFiles: 100,
            transferred: rushesTotals.bytes - 9.2 * GB,
          },
        }),
      },
    ]
  },

  'done-problems': (nowMs: number): AppEvent[] => {
    const receive = receiveId('r1')
    const atMs = nowMs - 5 * minute + 546_000
    const problems = [
      ['Day 2, Fushimi/edit-notes.docx', appError('E_SOURCE_CHANGED')],
      ['Sound/mix-session.ptx', appError('E_PATH_UNREADABLE')],
      ['Day 1, Arashiyama/night: gate.mov', appError('E_NAME_NOT_ALLOWED')],
    ] as const
    return [
      connected(nowMs),
      ...receiving(rushesOffer, projects, rushesRun, nowMs),
      ...problems.map(([path, error]) => ({
        atMs,
        type: 'receive-problem' as const,
        receive,
        path,
        error: { ...error, subject: path },
      })),
      {
        atMs,
        type: 'receive-finished',
        receive,
        outcome: outcome(1_279, 61.7 * GB, { problems: 3 }),
      },
    ]
  },

  error: (nowMs: number): AppEvent[] => [
    connected(nowMs),
    code('r1', nowMs),
    { atMs: nowMs, type: 'receive-found', receive: receiveId('r1') },
    {
      atMs: nowMs,
      type: 'receive-failed',
      receive: receiveId('r1'),
      error: appError('E_NO_ROUTE', '5 host, 2 server reflexive, 0 relayed candidates in 9.8 s'),
    },
  ],

  'preview-continued': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    {
      atMs: nowMs,
      type: 'resumable-listed',
      resumableReceives: [
        {
          ...interruptedRushes(nowMs),
          transfer: transferId('r1'),
          selection: { only: [], except: ['/Sound'], first: [] },
        },
      ],
    },
    ...offer(rushesOffer, nowMs),
  ],

  'receiving-paused': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    { atMs: nowMs, type: 'limits-changed', speedLimits: { upload: 0, download: 25 * MB } },
    ...receiving(rushesOffer, projects, rushesRun, nowMs),
    {
      atMs: nowMs,
      type: 'receive-flow-changed',
      receive: receiveId('r1'),
      flow: { kind: 'paused' },
    },
  ],

  'receiving-stalled': (nowMs: number): AppEvent[] => [
    connected(nowMs),
    ...receiving(rushesOffer, projects, rushesRun, nowMs),
    { atMs: nowMs, type: 'receive-stalled', receive: receiveId('r1'), reason: 'network' },
  ],

  'text-offered': (nowMs: number): AppEvent[] => [connected(nowMs), ...offer(note, nowMs)],

  'text-received': (nowMs: number): AppEvent[] => {
    const receive = receiveId('r1')
    return [
      connected(nowMs),
      ...offer(note, nowMs),
      { atMs: nowMs, type: 'receive-accepted', receive, directory: projects },
      {
        atMs: nowMs,
        type: 'receive-text-arrived',
        receive,
        name: 'Text',
        text: 'Gate code for Saturday: 4417\n\nPark behind the studio, the front is closed until noon.\nhttps://studio.example.org/map',
      },
      { atMs: nowMs, type: 'receive-finished', receive, outcome: outcome(1, note.totals.bytes) },
    ]
  },

  interrupted: (nowMs: number): AppEvent[] => [
    connected(nowMs),
    {
      atMs: nowMs,
      type: 'resumable-listed',
      resumableReceives: [
        interruptedRushes(nowMs),
        {
          ...interruptedRushes(nowMs),
          transfer: transferId('thesis'),
          title: 'Thesis data set',
          hasResumeKey: false,
          from: 'lab-server-2',
          bytes: 188 * GB,
          totalBytes: 212 * GB,
        },
      ],
    },
  ],
} as const
