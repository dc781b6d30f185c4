/** The window's stored state, in a small file of the profile. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const pixels = z.int().min(-100_000).max(100_000)

const placementSchema = z.strictObject({
  x: pixels,
  y: pixels,
  width: pixels,
  height: pixels,
  isMaximized: z.boolean(),
})

const notesSchema = z
  .object({
    placement: placementSchema.nullable().catch(null),
    /** True once it was explained that closing the window leaves the app in the tray. */
    trayExplained: z.boolean().catch(false),
    /** True once data was sent or received, so that hints are no longer needed. */
    hasTransferred: z.boolean().catch(false),
  })
  .catch({ placement: null, trayExplained: false, hasTransferred: false })

/** The place of the window, in device-independent pixels of its inner area, as for `useContentSize`. */
export type WindowPlacement = z.infer<typeof placementSchema>

type Notes = z.infer<typeof notesSchema>

export type Area = Pick<WindowPlacement, 'x' | 'y' | 'width' | 'height'>

/** Larger than any file of ours; a larger one is ignored. */
const maxBytes = 4096

/** The least visible part of the title bar by which the window can be moved. */
const grip = { width: 120, height: 40 }

/** The notes of one profile. Read and write errors are ignored. */
export class WindowNotes {
  readonly #file: string
  #notes: Notes

  /** `directory`: the profile's folder. */
  constructor(directory: string) {
    this.#file = join(directory, 'window.json')
    this.#notes = notesSchema.parse(readNotes(this.#file))
  }

  get placement(): WindowPlacement | null {
    return this.#notes.placement
  }

  get trayExplained(): boolean {
    return this.#notes.trayExplained
  }

  get hasTransferred(): boolean {
    return this.#notes.hasTransferred
  }

  /** Stores changes; the file is complete at every moment. */
  note(changes: Partial<Notes>): void {
    this.#notes = { ...this.#notes, ...changes }
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(this.#notes))
      renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      console.error('could not store the window state:', error)
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

/** The place, if the window's title bar can be seen and moved on the current displays. */
export function visiblePlacement(
  placement: WindowPlacement | null,
  workAreas: readonly Area[],
): WindowPlacement | null {
  if (placement === null) return null
  const isVisible = workAreas.some((area) => {
    const width =
      Math.min(placement.x + placement.width, area.x + area.width) - Math.max(placement.x, area.x)
    const isWithin = placement.y >= area.y && placement.y <= area.y + area.height - grip.height
    return width >= grip.width && isWithin
  })
  return isVisible ? placement : null
}
