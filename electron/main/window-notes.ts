/** What is remembered of the window from one start to the next, in a small file of the profile. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const pixels = z.int().min(-100_000).max(100_000)

const placeSchema = z.strictObject({
  x: pixels,
  y: pixels,
  width: pixels,
  height: pixels,
  isMaximized: z.boolean(),
})

const notesSchema = z
  .object({
    place: placeSchema.nullable().catch(null),
    /** It was said that closing the window leaves the app in the tray. */
    trayExplained: z.boolean().catch(false),
    /** Something was sent or received, so nobody needs to be told how. */
    hasTransferred: z.boolean().catch(false),
  })
  .catch({ place: null, trayExplained: false, hasTransferred: false })

/** Where the window was. Device-independent pixels, of its inner area as for `useContentSize`. */
export type Place = z.infer<typeof placeSchema>

type Notes = z.infer<typeof notesSchema>

export type Area = Pick<Place, 'x' | 'y' | 'width' | 'height'>

/** Larger than any file of ours; a larger one is not read. */
const maxBytes = 4096

/** Enough of the title bar to take hold of. */
const grip = { width: 120, height: 40 }

/** The notes of one profile. A file that can't be read or written is as good as none. */
export class WindowNotes {
  readonly #file: string
  #notes: Notes

  /** `directory`: that of the profile. */
  constructor(directory: string) {
    this.#file = join(directory, 'window.json')
    this.#notes = notesSchema.parse(readNotes(this.#file))
  }

  get place(): Place | null {
    return this.#notes.place
  }

  get trayExplained(): boolean {
    return this.#notes.trayExplained
  }

  get hasTransferred(): boolean {
    return this.#notes.hasTransferred
  }

  /** Remembers what changed; the file is whole at every moment. */
  note(changes: Partial<Notes>): void {
    this.#notes = { ...this.#notes, ...changes }
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(this.#notes))
      renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      console.error('the window is not remembered:', error)
    }
  }
}

function readNotes(file: string): unknown {
  try {
    const content = readFileSync(file)
    return content.length > maxBytes ? null : JSON.parse(content.toString())
  } catch {
    return null
  }
}

/** The place if the window's top can be seen and moved there, on displays as they are now. */
export function visiblePlace(place: Place | null, workAreas: readonly Area[]): Place | null {
  if (place === null) return null
  const isVisible = workAreas.some((area) => {
    const width = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x)
    const isWithin = place.y >= area.y && place.y <= area.y + area.height - grip.height
    return width >= grip.width && isWithin
  })
  return isVisible ? place : null
}
