/** Meanings of the exit codes, for `--help`, the manual and docs/cli.md. */

/** `--help` shows `short`. */
export type ExitCodeText = { readonly short: string; readonly long: string }

export const exitCodeText = {
  complete: {
    short: 'success',
    long: 'every selected file is there, and everything received is verified; `serve`, `listen`: stopped',
  },
  internal: { short: 'error in Thruflux itself', long: 'something went wrong in Thruflux itself' },
  usage: {
    short: 'usage error',
    long: 'the command line is wrong, or `--only` and `--exclude` leave no file',
  },
  code: {
    short: 'wrong code',
    long: "the code is malformed or unknown, or its words don't match",
  },
  server: {
    short: 'signaling server problem',
    long: "the signaling server can't be reached, refuses the connection, or isn't a signaling server",
  },
  noRoute: { short: 'no route', long: "couldn't connect to the other computer" },
  peer: {
    short: 'other side gone or stopped',
    long: 'the other side is gone, has stopped, takes no more receivers or is incompatible',
  },
  disk: { short: 'disk problem', long: "the receiver's disk: not writable, full or broken" },
  problems: {
    short: 'finished with problems',
    long: 'finished, but some files or receivers are incomplete, or the sender had to leave something out',
  },
  sources: { short: 'nothing to send', long: "there is nothing to send, or it can't be read" },
  unverified: { short: 'not verified', long: "the other side or a file couldn't be verified" },
  declined: { short: 'declined', long: 'declined, unanswered, or waiting for someone to approve' },
  interrupted: {
    short: 'interrupted (Ctrl-C)',
    long: 'interrupted by SIGINT before it was complete',
  },
  brokenPipe: {
    short: 'output closed',
    long: 'the program reading from `--out -` ended early, as after SIGPIPE',
  },
  terminated: { short: 'terminated', long: 'ended by SIGTERM or SIGHUP before it was complete' },
} as const satisfies Readonly<Record<string, ExitCodeText>>
