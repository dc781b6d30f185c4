/** What is remembered about updates, for the app and the command of this account alike. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { StateFile, type StateFileOptions, type StateFormat } from '#client/state/state-file'
import { publicKeySchema, updateLimits } from '#shared/update/manifest'
import { versionPattern } from '#shared/update/version'

const version = z.string().regex(versionPattern)
const time = z.number().min(0).max(8.64e15)
const hash = z.string().regex(/^[0-9a-f]{128}$/)

/** What a later version adds is passed over, so that the way back to this one forgets nothing. */
const noteSchema = z.object({
  /** Drawn once, for staged versions. */
  lot: z.string().max(64),
  /** The last key list that was followed. */
  keys: z
    .strictObject({
      serial: z.int().min(0).max(updateLimits.keyLists),
      keys: z.array(publicKeySchema).max(updateLimits.keys),
      /** See `NotedKeys`. */
      from: z.int().min(0).max(updateLimits.keyLists),
    })
    .nullable(),
  /** When the newest manifest of each channel that counted was published. */
  published: z.strictObject({ stable: z.string().max(30), beta: z.string().max(30) }),
  /** When a check last had an answer, in Unix milliseconds. */
  checkedMs: time.nullable(),
  /** The newest version that a check found, whether it is newer than this one or not. */
  found: version.nullable(),
  /** When the command last said so. */
  hintedMs: time.nullable(),
  /** An update whose first starts are watched. */
  trial: z.strictObject({ version, starts: z.int().min(0).max(1000) }).nullable(),
  /** The version before it, as long as it is kept. */
  previous: z.strictObject({ version, sha512: hash, untilMs: time }).nullable(),
  /** Given up by a person, and not brought again by itself. */
  skipped: version.nullable(),
  /** Whose news were shown last, or need not be: the first version that ran here. */
  newsOf: version.nullable(),
})

/** See `noteSchema`. */
export type UpdateNote = z.infer<typeof noteSchema>

const empty: UpdateNote = {
  lot: '',
  keys: null,
  published: { stable: '', beta: '' },
  checkedMs: null,
  found: null,
  hintedMs: null,
  trial: null,
  previous: null,
  skipped: null,
  newsOf: null,
}

const format: StateFormat<UpdateNote> = {
  name: 'updates.json',
  version: 1,
  largestBytes: 16 * 1024,
  empty,
  decode: ({ version: _version, ...content }) => {
    const { data } = noteSchema.safeParse(content)
    return { value: data ?? empty, isComplete: data !== undefined }
  },
  encode: (note) => note,
}

/** The file of this note. Whoever reads it gets what is in memory; a file that makes no sense is set aside. */
export class UpdateNotes {
  readonly #file: StateFile<UpdateNote>

  constructor(options: Omit<StateFileOptions<UpdateNote>, 'format'>) {
    this.#file = new StateFile({ ...options, format })
  }

  read(): UpdateNote {
    return this.#file.read()
  }

  /** Resolves when it is on the disk, or can't be. */
  async change(patch: Partial<UpdateNote> | ((note: UpdateNote) => UpdateNote)): Promise<void> {
    await this.#file.change((note) =>
      typeof patch === 'function' ? patch(note) : { ...note, ...patch },
    )
  }

  /** The text that decides about turns; drawn at the first call. */
  async lot(): Promise<string> {
    const { lot } = this.read()
    if (lot !== '') return lot
    const drawn = randomBytes(16).toString('hex')
    await this.change((note) => (note.lot === '' ? { ...note, lot: drawn } : note))
    return this.read().lot || drawn
  }
}
