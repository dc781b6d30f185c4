/** Sizes and counts that more than one part relies on, each with its reason. */
export const limits = {
  /** A sealed message is an offer, an answer or a candidate: all far below this. */
  relayBodyBytes: 8 * 1024,
  /** One WebSocket message; leaves room around the largest relay body. */
  signalingFrameBytes: 64 * 1024,
  /** Paths in one drop; more than a file manager can put into one drag. */
  pathsPerShare: 10_000,
  /** Longest path a command or window may name: Linux's PATH_MAX, above Windows' 32,767 / 8. */
  pathBytes: 4096,
  /** UTF-8 bytes of one offered text: what people read, not a way to send files. */
  textBytes: 1024 * 1024,
  /** A pasted image, as PNG: several screens of the largest kind. */
  imageBytes: 64 * 1024 * 1024,
  /** UTF-8 bytes of a text's name. */
  textNameBytes: 255,
  /** Texts kept for one receive, and their length together; what exceeds them is reported only once. */
  textsKept: 100,
  textCharactersKept: 8 * 1024 * 1024,
  /** Things at the top of a share or in one listing, mapped names, conflicts: what people can scan. */
  entriesShown: 1000,
  /** Entries of an offer: a list has no page behind them. */
  entriesOffered: 2 ** 21,
  /** Of what is searched in a list of files. */
  searchCharacters: 200,
  /** Patterns of one kind in a selection, or of what a share leaves out. */
  patterns: 1000,
  /** Conflicts that a person decides about one by one: all that are listed. The engine takes no more. */
  conflictChoices: 1000,
  /** Changes of a selection during one receive; each is one touch of a person. */
  selectionChanges: 1000,
  /** Unfinished receives that are remembered; the oldest leave first. */
  unfinishedKept: 200,
  /** Who could not verify the other side shall stop and think, milliseconds. */
  identityPauseMs: 5000,
  /** Wrong words that people mistype; from here on someone may be guessing. */
  guessesUnnoticed: 4,
  /** Problems kept for one share or receive; the count continues. */
  problemsShown: 1000,
  /** Samples for speed: 15 s at 4 a second, enough to smooth a stall away and react in seconds. */
  rateSamples: 60,
  /** Samples of a whole transfer for its graph: more than a window has pixels to show. */
  historySamples: 240,
  /** Lines of one transfer's log, and the longest of them; a report needs no more. */
  logLines: 500,
  logLineLength: 300,
  /** Transfers whose log is kept; the oldest leave first. */
  logsKept: 100,
  /** Names that peers show each other, UTF-8 bytes. */
  peerNameBytes: 64,
  /** Receivers of one share at the same time, unless its sender asks for another number. */
  receiversPerShare: 10,
  /** The most that a sender may ask for; each is a connection of the engine. */
  maxReceiversPerShare: 1000,
  /** Receivers that a share shows, ended ones included; the oldest ended ones leave first. */
  receiversShown: 1200,
  /** Shares, and receives, that are shown; the oldest ended ones leave first. */
  transfersShown: 200,
  /** Shares and receives that run at the same time; each holds a socket and an engine session. */
  transfersRunning: 50,
  /** Servers of links that a person agreed to; the oldest leave first. */
  serversConfirmed: 100,
  /** Stored contacts; the engine takes no more. */
  contactsStored: 1000,
  /** Contacts that one share is sent to; each is notified again while it is away. */
  contactsPerShare: 50,
  /** Invitations that wait for an answer; the oldest leave first. */
  invitationsShown: 100,
  /** Finished transfers that the history has; the oldest leave first. */
  historyKept: 10_000,
  /** What they take on the disk; some of shares of a thousand files each. A search reads half of it. */
  historyBytes: 64 * 1024 * 1024,
  /** Entries of the history that are asked for at once: some screens full. */
  historyPage: 200,
  /** Problems of one entry of the history, and paths that it can share again. */
  historyProblems: 100,
  historyPaths: 1000,
} as const
