/** The remedy for each error as one button of this window; or the reason why there is none. */
import type { ErrorCode } from '#shared/errors'

/**
 * `network-settings`: opens that page. `enter-code`: focuses the code field. `choose-files`: shares others.
 * `choose-folder`: the button next to the folder. `try-again`: repeats the action, if it is known. `restart`: restarts
 * the app. `copy-report`: for a developer.
 */
export type RemedyAction =
  | 'network-settings'
  | 'enter-code'
  | 'choose-files'
  | 'choose-folder'
  | 'try-again'
  | 'restart'
  | 'copy-report'

/**
 * Reason for having no button. `here`: the control that refused it is next to the error. `other-side`: only the other
 * person can act. `elsewhere`: only outside of Thruflux. `command`: only `thru` reports it.
 */
export type NoRemedy = 'here' | 'other-side' | 'elsewhere' | 'command'

export type Remedy =
  { readonly action: RemedyAction } | { readonly action: null; readonly because: NoRemedy }

const by = (action: RemedyAction): Remedy => ({ action })
const none = (because: NoRemedy): Remedy => ({ action: null, because })

export const remedies: { readonly [code in ErrorCode]: Remedy } = {
  E_BAD_ARGUMENT: none('here'),
  E_BAD_CODE: by('enter-code'),
  E_NO_SUCH_CODE: by('enter-code'),
  E_CODE_MISMATCH: by('enter-code'),
  E_CODE_LOCKED: by('enter-code'),
  E_OWN_CODE: none('elsewhere'),
  E_CODE_REQUESTS: by('choose-files'),
  E_CODE_SHARES: by('enter-code'),
  E_CONTACT_UNKNOWN: by('enter-code'),
  E_SIGNALING_ALTERED: by('network-settings'),
  E_SERVER_UNCONFIRMED: none('here'),
  E_SERVER_UNREACHABLE: by('network-settings'),
  E_SERVER_IDENTITY: by('network-settings'),
  E_SERVER_BUSY: by('network-settings'),
  E_SERVER_PROTOCOL: by('network-settings'),
  E_SERVER_PASSWORD: by('network-settings'),
  E_PROXY_UNREACHABLE: by('network-settings'),
  E_PROXY_AUTH: by('network-settings'),
  E_PROXY_REFUSED: by('network-settings'),
  E_RATE_LIMITED: by('try-again'),
  E_PATH_NOT_FOUND: by('choose-files'),
  E_PATH_UNREADABLE: by('choose-files'),
  E_PATH_UNSUPPORTED: by('choose-files'),
  E_LINK_OUTSIDE: by('choose-files'),
  E_NAME_NOT_ALLOWED: none('other-side'),
  E_ATTRIBUTES_LEFT_OUT: none('elsewhere'),
  E_NOTHING_TO_SEND: by('choose-files'),
  E_SOURCE_CHANGED: by('choose-files'),
  E_TARGET_NOT_WRITABLE: by('choose-folder'),
  E_DISK_FULL: by('choose-folder'),
  E_DISK_IO: by('try-again'),
  E_FILE_TOO_LARGE: by('choose-folder'),
  E_TARGET_GONE: by('try-again'),
  E_NO_ROUTE: by('network-settings'),
  E_NO_RELAY: by('network-settings'),
  E_NOT_DIRECT: by('network-settings'),
  E_RELAY_IDENTITY: by('network-settings'),
  E_RELAY_QUOTA: by('try-again'),
  E_PEER_GONE: by('try-again'),
  E_PEER_PROTOCOL: by('try-again'),
  E_PEER_VERSION: none('elsewhere'),
  E_PEER_IDENTITY: by('enter-code'),
  E_HASH_MISMATCH: by('try-again'),
  E_BAD_MANIFEST: none('other-side'),
  E_TOO_MANY_RECEIVERS: by('try-again'),
  E_STREAM_STARTED: none('other-side'),
  E_STREAM_BROKEN: none('other-side'),
  E_OUTPUT_CLOSED: none('command'),
  E_DECLINED: by('enter-code'),
  E_UNDECIDED: none('here'),
  E_NO_BROWSERS: none('other-side'),
  E_REFUSED: by('try-again'),
  E_UNANSWERED: by('try-again'),
  E_SHARE_CHANGED: by('try-again'),
  E_STOPPED: by('enter-code'),
  E_CANCELLED: by('try-again'),
  E_LIMIT_EXCEEDED: by('choose-files'),
  E_ENGINE_BUSY: by('try-again'),
  E_ENGINE_CLOSED: by('restart'),
  E_INTERNAL: by('copy-report'),
}
