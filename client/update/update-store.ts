/** Stored facts about updates, shared by the app and command of this account. */
import * as z from 'zod'
import { StateFile, type StateFileOptions, type StateFormat } from '#client/state/state-file'
import { versionPattern } from '#shared/update/version'

const version = z.string().regex(versionPattern)
const time = z.number().min(0).max(8.64e15)

/** Ignores fields of later versions, so that a downgrade preserves them. */
const recordSchema = z.object({
  /** The release date of each channel's newest valid feed. */
  published: z.strictObject({ stable: z.string().max(30), beta: z.string().max(30) }),
  /** The time of the last answered check, in Unix milliseconds. */
  checkedMs: time.nullable(),
  /** The newest version that a check found for everyone; it may be older than this one. */
  found: version.nullable(),
  /** The time when the command last announced it. */
  hintedMs: time.nullable(),
  /** The version whose news were shown last, or the first version that ran here. */
  newsOf: version.nullable(),
})

/** See `recordSchema`. */
export type UpdateRecord = z.infer<typeof recordSchema>

const empty: UpdateRecord = {
  published: { stable: '', beta: '' },
  checkedMs: null,
  found: null,
  hintedMs: null,
  newsOf: null,
}

const format: StateFormat<UpdateRecord> = {
  name: 'updates.json',
  version: 1,
  maxBytes: 16 * 1024,
  empty,
  decode: ({ version: _version, ...content }) => {
    const { data } = recordSchema.safeParse(content)
    return { value: data ?? empty, isComplete: data !== undefined }
  },
  encode: (note) => note,
}

/** The file of this note. Reads come from memory; an invalid file is set aside. */
export class UpdateStore {
  readonly #file: StateFile<UpdateRecord>

  constructor(options: Omit<StateFileOptions<UpdateRecord>, 'format'>) {
    this.#file = new StateFile({ ...options, format })
  }

  read(): UpdateRecord {
    return this.#file.read()
  }

  /** Resolves when the change is on disk, or could not be written. */
  async change(
    patch: Partial<UpdateRecord> | ((note: UpdateRecord) => UpdateRecord),
  ): Promise<void> {
    await this.#file.change((note) =>
      typeof patch === 'function' ? patch(note) : { ...note, ...patch },
    )
  }
}
