/** Texts about updates on the page about the program. */
import { formatBytesOf, formatDateTime } from '#shared/format/format'
import type { UpdateStatus } from '#shared/update/update-status'
import { text } from '../text'

/** The contents of the row with the version. */
export type UpdateView = {
  /** One or two sentences. */
  readonly about: string
  readonly action: 'check' | 'restart' | null
  /** False while the action would interrupt a transfer. */
  readonly isPossible: boolean
  /** The downloaded part, from 0 to 1; `null` without a download. */
  readonly fraction: number | null
}

/** `isBusy`: a transfer is moving bytes. */
export function updateView({ by, checkedMs, phase }: UpdateStatus, isBusy: boolean): UpdateView {
  const words = text.updates
  const check: UpdateView = {
    about: words.by[by],
    action: 'check',
    isPossible: true,
    fraction: null,
  }
  if (by !== 'app') return { ...check, action: null }
  switch (phase.kind) {
    case 'idle': {
      const time = checkedMs === null ? null : formatDateTime(checkedMs)
      if (time === null) return check
      return { ...check, about: phase.newest ? words.newest(time) : words.checked(time) }
    }
    case 'checking':
      return { ...check, about: words.checking, isPossible: false }
    case 'waiting':
      return { ...check, about: words.waiting(phase.version), isPossible: false }
    case 'downloading': {
      const { version, bytes, totalBytes } = phase
      const about = words.downloading({ version, done: formatBytesOf(bytes, totalBytes) })
      return { ...check, about, isPossible: false, fraction: bytes / totalBytes }
    }
    case 'ready': {
      const about = isBusy ? words.readyBusy(phase.version) : words.ready(phase.version)
      return { ...check, about, action: 'restart', isPossible: !isBusy }
    }
    case 'failed': {
      const { what, remedy } = words.errors[phase.error.code]
      return { ...check, about: `${what} ${remedy}` }
    }
  }
}
