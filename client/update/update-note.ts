/** What is remembered about updates, for the app and the command of this account alike. */
import * as z from 'zod'
import { StateFile, type StateFileOptions, type StateFormat } from '#client/state/state-file'
import { versionPattern } from '#shared/update/version'

const version = z.string().regex(versionPattern)
const time = z.number().min(0).max(8.64e15)

/** What a later version adds is passed over, so that the way back to this one forgets nothing. */
const noteSchema = z.object({
  /** The release date of the newest feed of each channel that counted. */
  published: z.strictObject({ stable: z.string().max(30), beta: z.string().max(30) }),
  /** When a check last had an answer, in Unix milliseconds. */
  checkedMs: time.nullable(),
  /** The newest version that a check found for everybody, whether it is newer than this one or not. */
  found: version.nullable(),
  /** When the command last said so. */
  hintedMs: time.nullable(),
  /** Whose news were shown last, or need not be: the first version that ran here. */
  newsOf: version.nullable(),
})

/** See `noteSchema`. */
export type UpdateNote = z.infer<typeof noteSchema>

const empty: UpdateNote = {
  published: { stable: '', beta: '' },
  checkedMs: null,
  found: null,
  hintedMs: null,
  newsOf: null,
}

const format: StateFormat<UpdateNote> = {
  name: 'updates.json',
  version: 1,
  maxBytes: 16 * 1024,
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
}
