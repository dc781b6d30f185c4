/** All error codes, the same list as in `native/src/base/error_codes.def`. Codes are never reused or renamed. */
export const errorCodes = [
  'E_BAD_ARGUMENT',
  'E_BAD_CODE',
  'E_NO_SUCH_CODE',
  'E_CODE_MISMATCH',
  'E_CODE_LOCKED',
  'E_OWN_CODE',
  'E_CODE_REQUESTS',
  'E_CODE_SHARES',
  'E_CONTACT_UNKNOWN',
  'E_SIGNALING_ALTERED',
  'E_SERVER_UNCONFIRMED',
  'E_SERVER_UNREACHABLE',
  'E_SERVER_IDENTITY',
  'E_SERVER_BUSY',
  'E_SERVER_PROTOCOL',
  'E_SERVER_PASSWORD',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_AUTH',
  'E_PROXY_REFUSED',
  'E_RATE_LIMITED',
  'E_PATH_NOT_FOUND',
  'E_PATH_UNREADABLE',
  'E_PATH_UNSUPPORTED',
  'E_LINK_OUTSIDE',
  'E_NAME_NOT_ALLOWED',
  'E_ATTRIBUTES_LEFT_OUT',
  'E_NOTHING_TO_SEND',
  'E_SOURCE_CHANGED',
  'E_TARGET_NOT_WRITABLE',
  'E_DISK_FULL',
  'E_DISK_IO',
  'E_FILE_TOO_LARGE',
  'E_TARGET_GONE',
  'E_NO_ROUTE',
  'E_NO_RELAY',
  'E_NOT_DIRECT',
  'E_RELAY_IDENTITY',
  'E_RELAY_QUOTA',
  'E_PEER_GONE',
  'E_PEER_PROTOCOL',
  'E_PEER_VERSION',
  'E_PEER_IDENTITY',
  'E_HASH_MISMATCH',
  'E_BAD_MANIFEST',
  'E_TOO_MANY_RECEIVERS',
  'E_NO_BROWSERS',
  'E_REFUSED',
  'E_UNANSWERED',
  'E_STREAM_STARTED',
  'E_STREAM_BROKEN',
  'E_OUTPUT_CLOSED',
  'E_DECLINED',
  'E_UNDECIDED',
  'E_SHARE_CHANGED',
  'E_STOPPED',
  'E_CANCELLED',
  'E_LIMIT_EXCEEDED',
  'E_ENGINE_BUSY',
  'E_ENGINE_CLOSED',
  'E_INTERNAL',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** An expected failure as plain data, so that it crosses IPC and JSON unchanged. */
export type CodedError<Code extends string> = {
  readonly code: Code
  /** Shown in logs and a Details panel; sentences for people are made from the code. */
  readonly detail: string
}

/** A failure that `describeError` has a sentence for. */
export type AppError = CodedError<ErrorCode> & {
  /** The file, folder, address or code concerned, if any. */
  readonly subject?: string
}

export const appError = (code: ErrorCode, detail = '', subject?: string): AppError =>
  subject === undefined ? { code, detail } : { code, detail, subject }

const known: ReadonlySet<string> = new Set(errorCodes)

/** The code with this name; unknown ones, from a newer peer, become `E_INTERNAL`. */
export const toErrorCode = (name: string): ErrorCode =>
  known.has(name) ? (name as ErrorCode) : 'E_INTERNAL'

/** Errors that a transfer survives, because the same two computers may find each other again. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'E_SHARE_CHANGED',
  'E_PEER_GONE',
  'E_NO_ROUTE',
  'E_NO_RELAY',
  'E_NOT_DIRECT',
  'E_RELAY_IDENTITY',
  'E_SERVER_UNREACHABLE',
  'E_SERVER_IDENTITY',
  'E_SERVER_BUSY',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_REFUSED',
  'E_RATE_LIMITED',
])

/** True when the same attempt may succeed a little later, without any action. */
export const isPassing = ({ code }: Pick<AppError, 'code'>): boolean => passing.has(code)

/**
 * Errors that pass while a sender returns. This receiver's lost connection may still hold its place, and a restarted
 * server does not know the code yet. They also pass while this computer changes networks, where a login page may answer
 * for the server. And they pass while a person enters the server's new password.
 */
const passingOnReturn: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'E_NO_SUCH_CODE',
  'E_TOO_MANY_RECEIVERS',
  'E_SERVER_PROTOCOL',
  'E_SERVER_PASSWORD',
])

/** True when a lost transfer may continue a little later, without any action. */
export const isPassingOnReturn = (error: Pick<AppError, 'code'>): boolean =>
  isPassing(error) || passingOnReturn.has(error.code)
