/** What each exit code means, for `--help`, the manual and docs/cli.md. */

/** `short` stands in `--help`. */
export type ExitCodeText = { readonly short: string; readonly long: string }

/** See above. */
export const exitCodeText = {
  complete: {
    short: 'complete',
    long: 'everything wanted of the offer is there, and everything received is verified; `serve`, `listen`: stopped',
  },
  internal: { short: 'error in Thruflux itself', long: 'something went wrong in Thruflux itself' },
  usage: {
    short: 'usage',
    long: 'the command line is wrong, or `--only` and `--except` leave no file',
  },
  code: {
    short: 'wrong code',
    long: "the code is malformed or unknown, or its words don't match",
  },
  server: {
    short: 'signaling server',
    long: "the signaling server can't be reached, refuses, or isn't one",
  },
  noRoute: { short: 'no route', long: "couldn't connect to the other computer" },
  peer: {
    short: 'other side gone or stopped',
    long: 'the other side is gone, has stopped, takes no more receivers or is not compatible',
  },
  disk: { short: 'disk', long: "the receiver's disk: not writable, full or broken" },
  problems: {
    short: 'done with problems',
    long: 'done, but with problems: some files or receivers are incomplete',
  },
  sources: { short: 'nothing to send', long: "nothing to send, or it can't be read" },
  unverified: { short: 'not verified', long: "the other side or a file couldn't be verified" },
  declined: { short: 'declined', long: 'declined, or waiting for someone to approve it' },
  interrupted: {
    short: 'interrupted (Ctrl-C)',
    long: 'interrupted by SIGINT before it was complete',
  },
  brokenPipe: {
    short: 'output closed',
    long: 'the program that reads `--out -` ended before everything was written, as after SIGPIPE',
  },
  terminated: { short: 'terminated', long: 'ended by SIGTERM or SIGHUP before it was complete' },
} as const satisfies Readonly<Record<string, ExitCodeText>>
