/** Sizes and counts that several parts rely on, each with its reason. */
export const limits = {
  /** A sealed message is an offer, an answer or a candidate: all far below this. */
  relayBodyBytes: 8 * 1024,
  /** One WebSocket message; leaves room around the largest relay body. */
  signalingFrameBytes: 64 * 1024,
  /** Paths in one drop; more than a file manager can put into one drag. */
  pathsPerShare: 10_000,
  /** Longest path that a command or window can name: Linux's PATH_MAX. */
  pathBytes: 4096,
  /** UTF-8 bytes of one offered text: meant for reading, not for sending files. */
  textBytes: 1024 * 1024,
  /** A pasted image, as PNG: several screens of the largest kind. */
  imageBytes: 64 * 1024 * 1024,
  /** UTF-8 bytes of a text's name. */
  textNameBytes: 255,
  /** Texts kept for one receive, and their total length; texts beyond that are reported only once. */
  textsKept: 100,
  textCharactersKept: 8 * 1024 * 1024,
  /** Items of a share or one listing, mapped names, conflicts: as many as people can scan. */
  entriesShown: 1000,
  /** Entries of an offer; lists can't be paged beyond this. */
  entriesOffered: 2 ** 21,
  /** Characters of a search in a list of files. */
  searchCharacters: 200,
  /** Patterns of one kind in a selection, or of a share's exclusions. */
  patterns: 1000,
  /** Conflicts that a person decides one by one: all that are listed. The engine takes no more. */
  conflictChoices: 1000,
  /** Items that a receiver gives other names; the engine takes no more. */
  renames: 1000,
  /** UTF-8 bytes of one name in a path. */
  nameBytes: 255,
  /** Changes of a selection during one receive, each by a person's click. */
  selectionChanges: 1000,
  /** Remembered unfinished receives; the oldest are dropped first. */
  resumableKept: 200,
  /** Milliseconds before a retry is offered if the other side's identity couldn't be verified: time to think. */
  identityPauseMs: 5000,
  /** Wrong words that people mistype; beyond this someone may be guessing. */
  guessesUnnoticed: 4,
  /** Problems kept for one share or receive; the count continues. */
  problemsShown: 1000,
  /** Samples for speed: 15 s at 4 a second, enough to smooth out a stall and react in seconds. */
  rateSamples: 60,
  /** Samples of a whole transfer for its graph: more than a window has pixels to show. */
  historySamples: 240,
  /** Lines of one transfer's log, and the longest of them; a report needs no more. */
  logLines: 500,
  logLineLength: 300,
  /** Transfers whose log is kept; the oldest are dropped first. */
  logsKept: 100,
  /** Names that peers show each other, UTF-8 bytes. */
  peerNameBytes: 64,
  /** Receivers of one share at the same time, unless its sender chooses another number. */
  receiversPerShare: 10,
  /** Maximum that a sender may choose; each receiver is a connection of the engine. */
  maxReceiversPerShare: 1000,
  /** Receivers that a share shows, including ended ones; the oldest ended ones are dropped first. */
  receiversShown: 1200,
  /** Shares, and receives, that are shown; the oldest ended ones are dropped first. */
  transfersShown: 200,
  /** Shares and receives that run at the same time; each holds a socket and an engine session. */
  transfersRunning: 50,
  /** Servers of links that a person agreed to; the oldest are dropped first. */
  serversConfirmed: 100,
  /** Stored contacts; the engine takes no more. */
  contactsStored: 1000,
  groupsPerContact: 8,
  /** Contacts that one share is sent to; an offline one is notified again later. */
  contactsPerShare: 50,
  /** Invitations that wait for an answer; the oldest are dropped first. */
  invitationsShown: 100,
  /** Nearby computers that are listed, and their questions that wait for an answer. */
  nearbyComputers: 50,
  nearbyQuestions: 4,
  /** Finished transfers in the history; the oldest are dropped first. */
  historyKept: 10_000,
  /** Their size on the disk; some list a thousand files each. A search reads half of it. */
  historyBytes: 64 * 1024 * 1024,
  /** Entries of the history in one request: a few screens. */
  historyPage: 200,
  /** Problems of one entry of the history, and paths that it can share again. */
  historyProblems: 100,
  historyPaths: 1000,
} as const
