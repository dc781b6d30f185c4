/** The stored data of one share, which lets it survive a restart of the program. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import type { NewShare } from '#client/session/requests'
import type { ShareCode } from '#client/session/share/share-code'
import type { NameplateOwner } from '#client/signaling/nameplate-owner'
import { maxRememberedBytes, type RememberedShare } from '#client/state/remembered-share'
import type { ShareFile } from '#client/state/share-file'
import { makeJoinCode } from '#shared/code/join-code'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { CodeEnd, Item } from '#shared/state/app-state'

type Noted = Omit<RememberedShare, 'keeper' | 'host'>

/** Facts that are known when a share begins. */
export type ShareFacts = Pick<Noted, 'server' | 'options' | 'rules'>

/** Facts about a share that has a code. */
type CodeFacts = Pick<Noted, 'nameplate' | 'words' | 'ownerKey' | 'endsAtMs' | 'codeEnd'>

/** Stores nothing until the share has a code: before that, there is nothing to reopen. */
export class ShareRecorder {
  readonly #clock: Clock
  readonly #file: Pick<ShareFile, 'note' | 'release' | 'remove'>
  #facts: Omit<Noted, keyof CodeFacts | 'lastSeenMs'>
  #code: CodeFacts | null = null
  /** Indexed by the engine's item numbers; `null` for removed items. */
  #items: (SourceItem | null)[] = []
  /** Items that can't be offered now, but perhaps after a restart. */
  #absent: readonly SourceItem[] = []
  /** An earlier program's entry, until the share is open again. */
  #unopened: RememberedShare | null
  #isForgotten = false
  /** True if the file has an entry for this share. */
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

  /** Records the first offered items, and those that are absent. */
  offered(items: readonly SourceItem[], absent: readonly SourceItem[]): void {
    this.#items = [...items]
    this.#absent = absent
    this.#unopened = null
    void this.update({})
  }

  /** The current offer, so that another share can repeat it. */
  get offer(): NewShare {
    return { ...this.#facts.options, items: this.#offered }
  }

  /** The paths of items. What a link leads to takes its place once it is known. */
  get paths(): readonly string[] {
    return this.#offered.flatMap((item) =>
      item.kind === 'path' ? [item.resolved ?? item.path] : [],
    )
  }

  get #offered(): readonly SourceItem[] {
    return [...this.#items.flatMap((item) => (item === null ? [] : [item])), ...this.#absent]
  }

  /** Records further items. */
  added(items: readonly SourceItem[]): void {
    this.#items.push(...items)
    void this.update({})
  }

  /** Records what the paths of items led to, so that a restart offers nothing else. */
  found(items: readonly Pick<Item, 'id'>[], resolved: readonly string[]): void {
    const before = this.#items
    this.#items = [...before]
    for (const [index, { id }] of items.entries()) {
      const item = before[id]
      const to = resolved[index]
      if (item?.kind === 'path' && item.resolved === undefined && to !== undefined)
        this.#items[id] = { ...item, resolved: to }
    }
    if (this.#items.some((item, id) => item !== before[id])) void this.update({})
  }

  /** Records the removal of an item, by the engine's number. */
  takenOut(item: number): void {
    this.#items[item] = null
    void this.update({})
  }

  /** Records the current code and its ownership at the server. */
  coded(
    { key: ownerKey, nameplate }: Pick<NameplateOwner, 'key' | 'nameplate'>,
    { words, endsAtMs }: Pick<ShareCode, 'words' | 'endsAtMs'>,
    codeEnd: CodeEnd | null,
  ): void {
    if (nameplate === null || endsAtMs === null) return
    this.#code = { nameplate, words, ownerKey, endsAtMs, codeEnd }
    this.#isForgotten = false
    void this.update({})
  }

  /** Drops the code before its replacement. */
  recoding(): void {
    this.#code = null
    this.#file.remove(this.#facts.id)
  }

  /** Records other changes. Resolves once they are durable, or can't be. */
  update(
    change: Partial<Pick<Noted, 'title' | 'paused' | 'to' | 'admission' | 'returning'>>,
  ): Promise<void> {
    this.#facts = { ...this.#facts, ...change }
    const entry = this.#entry()
    const stored = entry === null ? Promise.resolve() : this.#file.note(entry)
    if (entry === null && this.#isNoted && !this.#isForgotten) this.#file.remove(this.#facts.id)
    this.#isNoted = entry !== null
    return stored
  }

  /** Records changed options. */
  setOptions(change: Partial<ShareOptions>): void {
    this.#facts = { ...this.#facts, options: { ...this.#facts.options, ...change } }
    void this.update({})
  }

  /** Keeps the entry so that a program can reopen the share. Returns false if there is nothing to reopen. */
  release(): boolean {
    const entry = this.#entry()
    if (entry === null) return false
    this.#file.release(entry)
    this.#isForgotten = true
    return true
  }

  /** The share failed. If it was never reopened, its entry waits for the next start: a disk may be missing. */
  failed(): void {
    if (this.#unopened === null) this.forget()
    else this.#file.release(this.#unopened)
    this.#isForgotten = true
  }

  /** Removes the entry: the share or its code has ended for good. */
  forget(): void {
    if (this.#isForgotten) return
    this.#isForgotten = true
    if (this.#code !== null) this.#file.remove(this.#facts.id)
  }

  #entry(): Noted | null {
    if (this.#code === null || this.#isForgotten) return null
    // A stream's data ends with the program, and texts may be secrets.
    const items = this.#offered.flatMap((item) => (item.kind === 'path' ? [item] : []))
    const length = items.reduce(
      (sum, { path, resolved = '' }) => sum + path.length + resolved.length,
      0,
    )
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

/** The reason why a stored share admits no new receivers, or `null`. */
export const codeEndOf = ({ codeEnd, endsAtMs }: RememberedShare, nowMs: number): CodeEnd | null =>
  codeEnd ?? (endsAtMs <= nowMs ? 'expired' : null)

/** The existing code of a restored share, for the state. */
export const resumedCode = (restored: RememberedShare | null) => {
  if (restored === null) return {}
  const { nameplate, words, endsAtMs, texts, options } = restored
  const code = options.invitedOnly ? null : makeJoinCode(nameplate, words)
  return { resumed: { code, endsAtMs, texts } }
}
