/** The text of each error: one sentence about the problem, and one about its remedy. */
import {
  type BadArgumentTexts,
  type BadCodeTexts,
  type BadWordsTexts,
  type CauseTexts,
  type ErrorTexts,
  fixed,
  named,
} from '#shared/text/error-text'

export const badCodes: BadCodeTexts = {
  notACode: {
    what: "This isn't a join code.",
    remedy: 'Enter it like 4821-apple-kayak-onion: a number and three words.',
  },
  notALink: {
    what: "Thruflux doesn't understand this join link.",
    remedy: 'Ask whoever sent it for the code, and type it.',
  },
  notAWord: (word) => `"${word}" isn't a join-code word.`,
  checkWord: 'Check it with whoever gave you the code.',
  didYouMean: (words) => `Did you mean ${words}?`,
}

export const badWords: BadWordsTexts = {
  notThree: {
    what: 'A code has three words.',
    remedy: 'Choose three, such as apple-kayak-onion; the number comes from the server.',
  },
  allEqual: {
    what: 'The same word three times is too easy to guess.',
    remedy: 'Choose different words.',
  },
  same: {
    what: 'The code already has these words.',
    remedy: 'Choose different ones; someone may already be guessing these.',
  },
  another: 'Choose another word.',
}

export const badArguments: BadArgumentTexts = {
  unnamed: "This request isn't valid.",
  named: (subject) => `${subject} isn't valid.`,
  remedy: 'Correct it and try again.',
}

export const causes: CauseTexts = {
  'looked-on-network': fixed(
    'No open code on this network has this number, and this computer has no way to look elsewhere.',
    "Check it with the other side; if they're on another network, allow public meeting points (--meeting) or set the same server on both computers.",
  ),
  'looked-on-computer': fixed(
    'No open code on this computer has this number, and there is neither a local network nor another way to look elsewhere.',
    'Check it with the other side, and allow public meeting points (--meeting) or set the same server on both computers.',
  ),
  'nobody-answers': fixed(
    'Nobody answers under this number, at public meeting points or on this network.',
    'Check that the other Thruflux is still open, and that both sides may use public meeting points.',
  ),
  'no-relay-at-meeting': fixed(
    'The other computer was found, but the two networks allow no direct connection, and public meeting points carry no files.',
    'Use the same network, IPv6 on both sides, a router that opens ports (Thruflux asks it automatically), or a TURN server in the settings (--turn-server).',
  ),
  'no-meeting-point': fixed(
    'No public meeting point answers.',
    'Check your network, or set the same server on both computers.',
  ),
  'server-refuses': named(
    (subject) => `${subject} refuses the connection: no Thruflux server runs there.`,
    'The connection is refused: no Thruflux server runs at this address.',
    'Check that the server is running, and its address in the settings.',
  ),
  'server-unknown': named(
    (subject) => `The name of the server ${subject} can't be found.`,
    "The server's name can't be found.",
    "Check the server's address in the settings, and this computer's network.",
  ),
  'no-way-to-server': named(
    (subject) => `${subject} can't be reached from this network.`,
    "The server can't be reached from this network.",
    "Check this computer's network and the server's address in the settings.",
  ),
  'no-loopback': fixed(
    "This computer's loopback network is down, so its own programs can't reach each other.",
    'Turn it on ("ip link set lo up" on Linux), or set a server in Settings > Network.',
  ),
  'link-loop': named(
    (subject) => `${subject} is a link that leads back to itself or to a folder that contains it.`,
    'A link leads back to itself or to a folder that contains it.',
    'Leave the link out.',
  ),
  'password-missing': named(
    (subject) => `${subject} requires a password, and none is set.`,
    'The server requires a password, and none is set.',
    'Ask whoever runs it, and enter the password in Settings > Network.',
  ),
  'password-wrong': named(
    (subject) => `${subject} doesn't accept your password.`,
    "The server doesn't accept your password.",
    'Ask whoever runs it, and enter the password in Settings > Network.',
  ),
  'is-a-file': named(
    (subject) => `${subject} is a file, not a folder.`,
    'This is a file, not a folder.',
    'Choose a folder.',
  ),
  'all-excluded': fixed(
    'Everything is excluded, so there is nothing to send.',
    'Check the patterns in the settings and --exclude, and the .gitignore files.',
  ),
  'leads-nowhere': named(
    (subject) => `${subject} is a broken link.`,
    'This is a broken link.',
    'Choose another folder, or connect the drive that it points to.',
  ),
  'in-the-way': named(
    (subject) =>
      `${subject} can't be saved: a file or link already has the name of one of its folders.`,
    "A folder can't be created: a file or link already has its name.",
    'Move that file or link, or choose another folder.',
  ),
  'name-taken': named(
    (subject) => `${subject} can't be saved: a folder or special file already has its name.`,
    "A file can't be saved: a folder or special file already has its name.",
    'Move what has the name, or choose another folder.',
  ),
}

export const errors: ErrorTexts = {
  E_NO_SUCH_CODE: fixed(
    'No open code has this number.',
    'Check it with the other side, because the code may have ended, or try the join link instead.',
  ),
  E_CODE_MISMATCH: fixed(
    "The code's words don't match.",
    'Check each word with the other side and enter the code again.',
  ),
  E_CODE_LOCKED: fixed(
    'This code was locked after 50 wrong attempts.',
    'Ask the other side for a new code.',
  ),
  E_OWN_CODE: fixed('This is your own code.', 'Enter it on the other computer.'),
  E_CODE_REQUESTS: fixed(
    "This code asks for files and doesn't share any.",
    'Choose the files that you want to send to it.',
  ),
  E_CODE_SHARES: fixed(
    "This code shares files and doesn't ask for any.",
    'Enter the code to receive them.',
  ),
  E_CONTACT_UNKNOWN: fixed(
    "You're no longer in this person's contacts.",
    'Ask for a code, and add each other again if you both want to.',
  ),
  E_SIGNALING_ALTERED: fixed(
    'A message was altered on its way through the server.',
    'Try again; if it happens again, choose another server in the settings.',
  ),
  E_SERVER_UNCONFIRMED: named(
    (subject) => `This link uses the server ${subject}, which you haven't used before.`,
    "This link uses a server that you haven't used before.",
    'Agree to it if you trust whoever sent you the link.',
  ),
  E_SERVER_UNREACHABLE: named(
    (subject) => `The server at ${subject} isn't responding.`,
    "The server isn't responding.",
    "Check this computer's network and the server's address in the settings.",
  ),
  E_SERVER_IDENTITY: named(
    (subject) => `The certificate of ${subject} isn't trusted.`,
    "The server's certificate isn't trusted.",
    "Check this computer's clock, and whether this network requires you to sign in first.",
  ),
  E_SERVER_BUSY: fixed(
    'The server is full.',
    'Try again in a few minutes, or choose another server in the settings.',
  ),
  E_SERVER_PROTOCOL: named(
    (subject) => `${subject} isn't a compatible Thruflux server.`,
    "The server isn't a compatible Thruflux server.",
    "Check the server's address in the settings, and install the newest Thruflux on both sides.",
  ),
  E_SERVER_PASSWORD: named(
    (subject) => `${subject} is only for people who have its password.`,
    'The server is only for people who have its password.',
    'Ask whoever runs it, and enter the password in Settings > Network.',
  ),
  E_PROXY_UNREACHABLE: named(
    (subject) => `There's no answer from the proxy at ${subject}.`,
    "There's no answer from the proxy.",
    'Check that the proxy is running, and its address in the settings or the system.',
  ),
  E_PROXY_AUTH: named(
    (subject) => `The proxy at ${subject} rejected the user name and password.`,
    'The proxy rejected the user name and password.',
    "Correct both in the settings, or in the proxy's address: http://user:password@host:port.",
  ),
  E_PROXY_REFUSED: named(
    (subject) => `The proxy at ${subject} won't connect you to the server.`,
    "The proxy won't connect you to the server.",
    "Check the server's address in the settings, or ask whoever runs the proxy to allow it.",
  ),
  E_RATE_LIMITED: fixed('Too many attempts in a short time.', 'Wait a minute and try again.'),
  E_PATH_NOT_FOUND: named(
    (subject) => `${subject} doesn't exist.`,
    "A file or folder doesn't exist.",
    'Check its name and that its drive is connected.',
  ),
  E_PATH_UNREADABLE: named(
    (subject) => `${subject} can't be read.`,
    "A file or folder can't be read.",
    'Give your account permission to read it, or leave it out.',
  ),
  E_PATH_UNSUPPORTED: named(
    (subject) => `${subject} is neither a file nor a folder.`,
    'One of the chosen items is neither a file nor a folder.',
    "Choose files and folders; pipes, sockets and devices can't be sent.",
  ),
  E_LINK_OUTSIDE: named(
    (subject) => `${subject} is a link to something outside the share.`,
    'A link points to something outside the share.',
    'Send what links lead to (Settings > Sharing), or leave the link out.',
  ),
  E_NAME_NOT_ALLOWED: named(
    (subject) => `${subject} can't be used as a file name here.`,
    "A name can't be used as a file name here.",
    'Choose another name, or ask the sender to rename it and share it again.',
  ),
  E_ATTRIBUTES_LEFT_OUT: named(
    (subject) => `${subject} is complete, but some of its extended attributes were left out.`,
    'A file is complete, but some of its extended attributes were left out.',
    'If they matter, send the file in an archive that keeps them.',
  ),
  E_NOTHING_TO_SEND: fixed(
    'There is nothing to send.',
    'Choose at least one file or folder that exists and can be read.',
  ),
  E_SOURCE_CHANGED: named(
    (subject) => `${subject} changed after it was shared.`,
    'A file changed after it was shared.',
    "Share it again, and don't change it until it has been received.",
  ),
  E_TARGET_NOT_WRITABLE: named(
    (subject) => `${subject} can't be written to.`,
    "The chosen folder can't be written to.",
    'Choose another folder, or give your account permission to write there.',
  ),
  E_DISK_FULL: fixed(
    'There is not enough disk space.',
    'Make room or choose a folder on another disk; finished files are kept.',
  ),
  E_DISK_IO: named(
    (subject) => `The disk reported an error at ${subject}.`,
    'The disk reported an error.',
    'Check the disk and its cable, then try again.',
  ),
  E_FILE_TOO_LARGE: named(
    (subject) => `${subject} is too large for the file system of the receiving disk.`,
    'A file is too large for the file system of the receiving disk.',
    'Choose a folder on a disk with another file system, such as NTFS, APFS or ext4.',
  ),
  E_TARGET_GONE: named(
    (subject) => `${subject} is no longer there.`,
    'The chosen folder is no longer there.',
    'Reconnect its drive and resume: finished files are kept.',
  ),
  E_NO_ROUTE: fixed(
    "Couldn't connect to the other computer: a network blocks direct connections.",
    'Add a relay in the settings, or connect both computers to the same network.',
  ),
  E_NO_RELAY: fixed(
    'Only relays are allowed here, and none works.',
    'Add a relay in the settings, use a server that has one, or allow direct connections.',
  ),
  E_NOT_DIRECT: fixed(
    "Couldn't connect to the other computer directly, and relays aren't allowed here.",
    'A relay may reach it: set Relay to "When needed" in the settings.',
  ),
  E_RELAY_IDENTITY: fixed(
    "Couldn't connect to the other computer: the relay's certificate isn't valid.",
    'See the details, and tell whoever runs the relay.',
  ),
  E_RELAY_QUOTA: fixed(
    "This transfer has reached the server's limit for relayed data.",
    'Start again to resume, or use another network: finished files are kept.',
  ),
  E_PEER_GONE: fixed(
    'The other computer stopped responding.',
    'Check that it is on and connected, then start again: finished files are kept.',
  ),
  E_PEER_PROTOCOL: fixed(
    'The other side sent an unexpected message.',
    'Install the newest version of Thruflux on both computers and try again.',
  ),
  E_PEER_VERSION: fixed(
    'These two versions of Thruflux are not compatible.',
    'Install the newest version of Thruflux on both computers.',
  ),
  E_PEER_IDENTITY: fixed(
    "The other side couldn't be verified: someone may be interfering.",
    'Create a new code and share it over a channel you trust.',
  ),
  E_HASH_MISMATCH: named(
    (subject) => `${subject} arrived damaged and was not kept.`,
    'A file arrived damaged and was not kept.',
    "Transfer it again; if it happens twice, check the sender's disk and memory.",
  ),
  E_BAD_MANIFEST: fixed(
    "The sender's file list contains an error.",
    'Install the newest version of Thruflux on both computers and ask for the files again.',
  ),
  E_TOO_MANY_RECEIVERS: fixed(
    'This code has no place for anyone else at the moment.',
    'Try again when someone has finished, or ask for a new code.',
  ),
  E_NO_BROWSERS: fixed(
    "The sender doesn't let browsers receive this.",
    'Receive it with Thruflux: open the link in the app, or enter the code there.',
  ),
  E_REFUSED: fixed(
    "The sender didn't let you in.",
    'Ask the sender whether this was a mistake, then enter the code again.',
  ),
  E_UNANSWERED: fixed(
    "The sender hasn't decided whether to let you in.",
    'Ask the sender to look at their screen, then enter the code again.',
  ),
  E_STREAM_STARTED: fixed(
    'This stream has already started, so it can no longer be received from its beginning.',
    'Ask the sender to stream it again, and join before it starts.',
  ),
  E_STREAM_BROKEN: fixed(
    "The stream ended unexpectedly, so its file isn't kept.",
    'The sender can stream it again.',
  ),
  E_OUTPUT_CLOSED: fixed(
    'The program that reads the output stopped early.',
    'Receive it again, into a program that reads all of it or into a file.',
  ),
  E_DECLINED: fixed(
    'You declined the offer.',
    'If you want to receive it after all, enter the code again, or ask for a new one if it no longer works.',
  ),
  E_UNDECIDED: fixed(
    'No one has answered the offer here yet.',
    'Answer it in Thruflux on this computer, or ask the sender to share it again.',
  ),
  E_SHARE_CHANGED: fixed(
    'The shared files have changed.',
    'Nothing to do: the new ones are received automatically.',
  ),
  E_STOPPED: fixed(
    'The other side stopped the transfer.',
    'Resume when it is shared again, or ask for a new code: finished files are kept.',
  ),
  E_CANCELLED: fixed(
    'The transfer was canceled.',
    'Start it again whenever you like: finished files are kept.',
  ),
  E_LIMIT_EXCEEDED: named(
    (subject) => `${subject} is larger than Thruflux allows.`,
    'This is more than Thruflux allows.',
    'Share less at a time: one folder after another, or a long text as a file.',
  ),
  E_ENGINE_BUSY: fixed('Thruflux is too busy at the moment.', 'Wait a moment and try again.'),
  E_ENGINE_CLOSED: fixed('The transfer engine has stopped.', 'Start Thruflux again.'),
  E_INTERNAL: fixed(
    'Something went wrong in Thruflux.',
    "Start it again; if that doesn't help, report it with the details.",
  ),
}
