/** The shape of sentences about errors, in any language. */
import type { ErrorCode } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'

/** One sentence each. */
export type ErrorText = { readonly what: string; readonly remedy: string }

export type Describe = (subject: string | undefined) => ErrorText

/** A text for every code whose text depends only on its subject. */
export type ErrorTexts = {
  readonly [code in Exclude<ErrorCode, 'E_BAD_ARGUMENT' | 'E_BAD_CODE'>]: Describe
}

/** Causes that an error's detail gives more precisely than its code. */
export type Cause =
  | 'looked-on-network'
  | 'looked-on-computer'
  | 'nobody-answers'
  | 'no-relay-at-meeting'
  | 'no-meeting-point'
  | 'server-refuses'
  | 'server-unknown'
  | 'no-way-to-server'
  | 'no-loopback'
  | 'link-loop'
  | 'password-missing'
  | 'password-wrong'
  | 'is-a-file'
  | 'leads-nowhere'
  | 'all-excluded'
  | 'in-the-way'
  | 'name-taken'

export type CauseTexts = { readonly [cause in Cause]: Describe }

/** Errors in a join code. */
export type BadCodeTexts = {
  readonly notACode: ErrorText
  readonly notALink: ErrorText
  readonly notAWord: (word: string) => string
  readonly checkWord: string
  /** `words` are a list such as `apple, ample or maple`. */
  readonly didYouMean: (words: string) => string
}

/** Errors in the words that a person chooses for a code. */
export type BadWordsTexts = {
  readonly notThree: ErrorText
  readonly allEqual: ErrorText
  /** The words are those of the code before. */
  readonly same: ErrorText
  /** Advice for a word without similar ones in the list. */
  readonly another: string
}

export type BadArgumentTexts = {
  readonly unnamed: string
  readonly named: (subject: string) => string
  readonly remedy: string
}

/** The same sentences for every subject. */
export const fixed =
  (what: string, remedy: string): Describe =>
  () => ({ what, remedy })

/** An alternative sentence for an error without a subject. */
export const named =
  (about: (subject: string) => string, unnamed: string, remedy: string): Describe =>
  (subject) => ({
    what: subject === undefined || subject === '' ? unnamed : about(quoted(subject)),
    remedy,
  })

/** `"notes.txt"`: a name that a peer may have chosen. */
export const quoted = (name: string): string => `"${visibleText(name)}"`

/** Ends caused by a receiver's side; `percent` is how much it had received by then. */
export type ReceiverEnds = {
  readonly [code in ErrorCode]?: (name: string, percent: string | null) => ErrorText
}

/** Reasons why a sender leaves a number of items out. */
export type LeftOutReasons = { readonly [code in ErrorCode]?: (entries: number) => string }
