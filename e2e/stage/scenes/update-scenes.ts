/** The states of an update. */
import type { AppEvent } from '#shared/events'
import type { News } from '#shared/update/news'
import { noUpdates, type UpdatePhase, type UpdateStatus } from '#shared/update/update-status'

const checkedMs = Date.UTC(2026, 9, 14, 9, 30)

export const someNews: News = {
  version: '1.0.0',
  sections: [
    {
      title: 'Added',
      points: [
        'Shares survive a restart, with the same codes.',
        '`thru doctor` says what this computer can reach.',
      ],
    },
    {
      title: 'Fixed',
      points: ['A folder that grows while it is sent no longer ends the transfer.'],
    },
  ],
}

export const updateIs = (update: Partial<UpdateStatus>): AppEvent => ({
  ...{ type: 'update-changed', atMs: checkedMs },
  update: { ...noUpdates, version: '1.0.0', by: 'app', checkedMs, ...update },
})

const inPhase = (phase: UpdatePhase) => (): readonly AppEvent[] => [updateIs({ phase })]

export const updateScenes = {
  'update-newest': inPhase({ kind: 'idle', newest: true }),
  'update-downloading': inPhase({
    ...{ kind: 'downloading', version: '1.1.0', bytes: 38e6, totalBytes: 102e6 },
  }),
  'update-ready': inPhase({ kind: 'ready', version: '1.1.0', notes: '' }),
  'update-refused': inPhase({
    kind: 'failed',
    error: { code: 'E_UPDATE_UNTRUSTED', detail: 'no signature' },
  }),
  'update-by-system': () => [updateIs({ by: 'system' })],
  'update-nobody': () => [updateIs({ by: 'nobody' })],
} as const
