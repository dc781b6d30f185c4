/** What one share has to store about itself so that it survives a restart of the program. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import type { NewShare } from '#client/session/requests'
import type { ShareCode } from '#client/session/share/share-code'
import type { NameplateOwner } from '#client/signaling/nameplate-owner'
import { maxRememberedBytes, type RememberedShare } from '#client/state/remembered-share'
import type { ShareFile } from '#client/state/share-file'
import { makeJoinCode } from '#shared/code/join-code'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { CodeEnd } from '#shared/state/app-state'

type Noted = Omit<RememberedShare, 'keeper' | 'host'>

/** What a share knows of itself from the beginning. */
export type ShareFacts = Pick<Noted, 'server' | 'options' | 'rules'>

/** What becomes known of a share that has a code. */
type CodeFacts = Pick<Noted, 'nameplate' | 'words' | 'ownerKey' | 'endsAtMs' | 'codeEnd'>

/** Silent until the share has a code: before, there is nothing to return to. */
export class ShareNote {
  readonly #clock: Clock
  readonly #file: Pick<ShareFile, 'note' | 'release' | 'remove'>
  #facts: Omit<Noted, keyof CodeFacts | 'lastSeenMs'>
  #code: CodeFacts | null = null
  /** By the engine's numbers; `null` for those that were taken out. */
  #items: (SourceItem | null)[] = []
  /** Items that can't be offered now, and perhaps after a restart. */
  #absent: readonly SourceItem[] = []
  /** As an earlier program noted it, until it is open again. */
  #unopened: RememberedShare | null
  #isForgotten = false
  /** The file has an entry for it. */
  #isNoted: boolean

  constructor(
    clock: Clock,
    file: Pick<ShareFile, 'note' | 'release' | 'remove'>,
    facts: ShareFacts,
    restored: RememberedShare | null,
  ) {
    this.#clock = clock
    this.#file = file
    const unknown = {
      title: '',
      items: [],
      texts: 0,
      paused: false,
      to: [],
      admission: null,
      returning: [],
    }
    const id = randomBytes(16).toString('hex')
    this.#facts = { id, ...unknown, ...(restored ?? {}), ...facts }
    this.#unopened = restored
    this.#isNoted = restored !== null
    if (restored === null) return
    this.#code = codeFactsOf(restored)
    this.#items = [...restored.items]
  }

  /** What is offered from the beginning, and what of that can't be. */
  offered(items: readonly SourceItem[], absent: readonly SourceItem[]): void {
    this.#items = [...items]
    this.#absent = absent
    this.#unopened = null
    this.update({})
  }

  /** The present offer, so that another share can make it. */
  get offer(): NewShare {
    return { ...this.#facts.options, items: this.#offered }
  }

  get #offered(): readonly SourceItem[] {
    return [...this.#items.flatMap((item) => (item === null ? [] : [item])), ...this.#absent]
  }

  /** More is offered. */
  added(items: readonly SourceItem[]): void {
    this.#items.push(...items)
    this.update({})
  }

  /** The item with this number of the engine's is offered no more. */
  takenOut(item: number): void {
    this.#items[item] = null
    this.update({})
  }

  /** The code and what is owned at the server, as it is now. */
  coded(
    { key: ownerKey, nameplate }: Pick<NameplateOwner, 'key' | 'nameplate'>,
    { words, endsAtMs }: Pick<ShareCode, 'words' | 'endsAtMs'>,
    codeEnd: CodeEnd | null,
  ): void {
    if (nameplate === null || endsAtMs === null) return
    this.#code = { nameplate, words, ownerKey, endsAtMs, codeEnd }
    this.#isForgotten = false
    this.update({})
  }

  /** The code's words are given up, and others follow. */
  recoding(): void {
    this.#code = null
    this.#file.remove(this.#facts.id)
  }

  /** Something else has changed. */
  update(
    change: Partial<Pick<Noted, 'title' | 'paused' | 'to' | 'admission' | 'returning'>>,
  ): void {
    this.#facts = { ...this.#facts, ...change }
    const entry = this.#entry()
    if (entry !== null) this.#file.note(entry)
    else if (this.#isNoted && !this.#isForgotten) this.#file.remove(this.#facts.id)
    this.#isNoted = entry !== null
  }

  /** Other options than before. */
  setOptions(change: Partial<ShareOptions>): void {
    this.#facts = { ...this.#facts, options: { ...this.#facts.options, ...change } }
    this.update({})
  }

  /** The program ends, and may open the share again. False: there is nothing to open again. */
  release(): boolean {
    const entry = this.#entry()
    if (entry === null) return false
    this.#file.release(entry)
    this.#isForgotten = true
    return true
  }

  /** It ends by itself. One that could not be opened again waits for the next start: a disk may be missing. */
  failed(): void {
    if (this.#unopened === null) this.forget()
    else this.#file.release(this.#unopened)
    this.#isForgotten = true
  }

  /** It is over, or its code is for good. */
  forget(): void {
    if (this.#isForgotten) return
    this.#isForgotten = true
    if (this.#code !== null) this.#file.remove(this.#facts.id)
  }

  #entry(): Noted | null {
    if (this.#code === null || this.#isForgotten) return null
    // The data of a stream is gone with the program, and texts may be secrets.
    const items = this.#offered.flatMap((item) => (item.kind === 'path' ? [item] : []))
    const length = items.reduce((sum, { path }) => sum + path.length, 0)
    if (items.length === 0 || length > maxRememberedBytes) return null
    const texts = this.#facts.texts + this.#offered.filter(({ kind }) => kind === 'text').length
    return { ...this.#facts, ...this.#code, items, texts, lastSeenMs: this.#clock.now() }
  }
}

const codeFactsOf = ({
  nameplate,
  words,
  ownerKey,
  endsAtMs,
  codeEnd,
}: RememberedShare): CodeFacts => ({ nameplate, words, ownerKey, endsAtMs, codeEnd })

/** Why nobody new comes in, if that is so. */
export const codeEndOf = ({ codeEnd, endsAtMs }: RememberedShare, nowMs: number): CodeEnd | null =>
  codeEnd ?? (endsAtMs <= nowMs ? 'expired' : null)

/** The code that people have already, if there is one. */
export const resumedCode = (restored: RememberedShare | null) => {
  if (restored === null) return {}
  const { nameplate, words, endsAtMs } = restored
  return { resumed: { code: makeJoinCode(nameplate, words), endsAtMs } }
}
