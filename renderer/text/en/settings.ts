/** The places of the window, and its settings. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

export const placesText = {
  all: 'Places',
  transfers: 'Transfers',
  history: 'History',
  settings: 'Settings',
  contacts: 'Contacts',
}

export const settingsText = {
  pages: {
    general: 'General',
    sharing: 'Sharing',
    receiving: 'Receiving',
    network: 'Network',
    contacts: 'Contacts',
    notifications: 'Notifications',
    appearance: 'Appearance',
    advanced: 'Advanced',
    about: 'About',
  },

  general: {
    name: 'Your name',
    nameAbout: 'Other people see it when you share with them or receive from them.',
    namePlaceholder: 'Name of this computer',
    running: 'While Thruflux runs',
    closeToTray: 'Keep going when the window is closed',
    closeToTrayAbout: 'Shares and transfers go on in the tray, where there is one.',
    startAtLogin: 'Start when you log in',
    startAtLoginAbout: 'Without a window, so that contacts can send to you.',
    resumeShares: 'Share again after a restart',
    resumeSharesAbout: 'What was shared when Thruflux ended, with the same codes.',
    keepAwake: 'Keep the computer awake during transfers',
    keepAwakeAbout: 'It may sleep again as soon as nothing moves.',
    keepHistory: 'Remember finished transfers',
    keepHistoryAbout: 'Only on this computer. What is there stays until you clear it.',
  },

  sharing: {
    maxReceivers: 'Receivers at the same time',
    maxReceiversAbout: 'Others wait until one of them has finished.',
    codeLife: 'A code expires after',
    codeLives: { '10min': '10 minutes', '1h': '1 hour', '24h': '24 hours' },
    oneReceiver: 'Each code is for one receiver',
    oneReceiverAbout: 'Nobody else comes in once someone has entered it.',
    approve: 'Ask before anyone receives',
    approveAbout: 'You let each person in before they see what you share.',
    links: 'Share symbolic links as links',
    linksAbout: 'Only links to something in the same share.',
    exclude: 'Always leave out',
    excludeAbout: 'Names such as node_modules or *.tmp, with commas between them.',
    excludePlaceholder: 'Nothing',
    gitignore: 'Leave out what .gitignore files name',
    gitignoreAbout: 'Those in what you share, where they stand and below.',
  },

  receiving: {
    folder: 'Save to',
    downloads: 'Use Downloads',
    rememberLast: 'Start with the folder and choice of the last receive',
    rememberLastAbout: 'Whatever you chose there is set here, too.',
    conflicts: 'If a different file already exists',
    quality: 'Checks',
    compareContent: 'Compare existing files by their content',
    compareContentAbout: 'Slower. Otherwise size and time decide.',
    verify: 'Read everything back from the disk',
    verifyAbout: 'Slower. Finds disks that lose what they were given.',
    resume: 'Resume what an earlier attempt left',
    kept: 'What is kept',
    keepTimes: 'Times of files',
    keepExecutable: 'Which files are programs',
    makeLinks: 'Symbolic links',
    makeEmptyFolders: 'Empty folders',
    portableNames: 'Change names that not every system can hold',
    mark: 'Mark files as received from someone else',
    markAbout: 'Windows and macOS then ask before opening a program for the first time.',
  },

  network: {
    visible: 'Visible on this network',
    visibleAbout: 'Computers on the same network find each other without a server.',
    servers: 'Servers',
    noServers: 'No server is set',
    noServersAbout: 'One helps computers on different networks find each other.',
    anotherServer: 'The server in use counts for what you share and receive from now on.',
    given: (server: string) => `This start was told to use ${server}. It counts before this list.`,
    kept: (servers: string) => `What is shared now keeps the server it began with: ${servers}.`,
    keptNone: 'none, this network only',
    builtIn: 'comes with Thruflux',
    addServer: 'Add a server',
    useServer: 'Use',
    used: 'Used',
    removeServer: 'Remove',
    fields: {
      url: 'Address',
      name: 'Name',
      password: 'Password',
      fallbacks: 'Servers when it fails, in order',
      stun: 'STUN servers',
      turn: 'TURN servers',
    },
    inOrder: (servers: readonly string[]) => servers.join(', then '),
    namePlaceholder: 'As you like',
    passwordPlaceholder: 'If the server wants one',
    enterPassword: 'Password…',
    changePassword: 'Change password…',
    setPassword: 'Save',
    more: 'More',
    add: 'Add',
    test: 'Test',
    testing: 'Testing…',
    checks: {
      ready: 'This server is ready.',
      insecure:
        'This server is ready, but without TLS, so anyone on the way can listen in. Use wss:// if it has it.',
      unreachable: 'Nothing answers at this address. Check it, and whether the server is running.',
      untrusted:
        "A secure connection to it isn't possible. Check the name, and the server's certificate.",
      password: 'This server wants a password, or another one. Ask whoever runs it.',
      other: "Something answers there, but it isn't a Thruflux server. Check the address.",
    },
    stunAnswers: (server: string) => `${server} answers.`,
    stunSilent: (server: string) => `${server} doesn't answer.`,
    refusals: {
      address: "This isn't a server address. Write it like wss://host or ws://host:port.",
      name: 'This name is too long. Use at most 64 characters.',
      taken: 'Another server has this name. Choose a different one.',
      password: 'A password has at most 256 characters.',
      fallbacks: 'Write at most 3 more server addresses like wss://host, with spaces between them.',
      stun: 'Write at most 8 STUN servers like stun:host:port, with spaces between them.',
      turn: 'Write at most 8 TURN servers like turn:user:password@host:port, with spaces between them.',
    },
    relay: 'Relay',
    relayAbout:
      "It passes on what it can't read when there is no direct way. 'Always' hides your address, on this network too, and needs a relay of yours or of the server.",
    relays: {
      automatic: 'When needed',
      only: 'Always, to hide my address',
      never: 'Never, only directly',
    },
    proxy: {
      label: 'Proxy',
      about:
        'For the way to servers, and to TURN servers over TCP. Computers on this network are always reached directly.',
      choices: { system: "System's proxy", none: 'No proxy', own: 'This proxy' },
      fields: { address: 'Address', user: 'User name', password: 'Password' },
      optional: 'If it wants one',
      kept: 'Unchanged',
      use: 'Use this proxy',
      signsIn: (user: string) => `Signs in as ${user}.`,
      anonymous: 'Without signing in.',
      works: 'The proxy answers, and so does the server.',
      behind: (server: string) => `The proxy answers, but ${server} can't be used through it.`,
      unused: 'The server answers. It is reached without the proxy.',
      broken:
        'The proxy in the settings file makes no sense, so no server is reached. Type it again, or choose another way.',
      refusals: {
        address:
          "This isn't the address of a proxy. Write it like http://host:port or socks5://host:port.",
        user: 'A password needs a user name.',
        credentials:
          "A proxy can't take this user name and password: they are too long, or the name has a colon.",
      },
    },
    check: {
      label: 'Check connection',
      about:
        'Tries your servers, relays, router and network. Takes up to five seconds and sends no names.',
      start: 'Check',
      again: 'Check again',
      running: 'Checking…',
      copy: 'Copy report',
      copyAbout: 'Without passwords and with addresses cut short, to pass on to someone who helps.',
      parts: {
        computer: 'This computer',
        server: 'Signaling server',
        internet: 'Internet',
        relays: 'Relays',
        router: 'Router',
        network: 'Local network',
      },
      states: { ok: 'Fine', warning: 'Note', failed: 'Problem', unknown: 'Not known' },
      reach: {
        everywhere: 'You can reach others through the internet and on your network.',
        internet: 'You can reach others through the server, but not on your network without it.',
        network: 'You can reach others on your network, but not through the internet.',
        nowhere: "You can't reach others from here. Begin with the first problem below.",
      },
    },
    portMapping: 'Have the router let others through',
    portMappingAbout:
      'More connections are direct. By PCP, NAT-PMP or UPnP, while a connection lasts.',
    leaveRoom: 'Leave room for others',
    leaveRoomAbout: 'Transfers slow down while calls, games or other downloads need the line.',
  },

  contacts: {
    reachable: 'Contacts can send to this computer',
    reachableAbout: 'While Thruflux runs. You are asked before anything is saved.',
  },

  notifications: {
    about: 'Shown while you look elsewhere.',
    joined: 'Someone joins a share',
    asks: 'Someone asks to be let in',
    offers: 'Someone wants to send you files',
    finished: 'A transfer is complete',
    failed: 'A transfer fails or is interrupted',
  },

  appearance: {
    theme: 'Theme',
    themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    languageAbout: 'Previews have the main screens, and English for the rest.',
    preview: (name: string) => `${name} (preview)`,
  },

  copies: {
    export: 'Export settings',
    exportAbout: 'To a file of your choice. Passwords of servers and of a proxy stay here.',
    exportButton: 'Export',
    exported: ({ name, withheld }: { readonly name: string; readonly withheld: number }) =>
      withheld === 0
        ? `Saved as ${name}.`
        : plural(withheld, {
            one: `Saved as ${name}, without ${formatCount(withheld)} TURN server that has a password.`,
            other: `Saved as ${name}, without ${formatCount(withheld)} TURN servers that have a password.`,
          }),
    import: 'Import settings',
    importAbout: 'You see what changes before anything does.',
    importButton: 'Import',
    imported: (name: string) => `${name} was imported.`,
    changes: (name: string) => `${name} changes`,
    noChanges: (name: string) => `${name} says what is set already.`,
    refused: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} setting makes no sense and stays as it is`,
        other: `${formatCount(count)} settings make no sense and stay as they are`,
      }),
    unknown: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} setting isn't known to this version.`,
        other: `${formatCount(count)} settings aren't known to this version.`,
      }),
    apply: (count: number) =>
      plural(count, {
        one: `Change ${formatCount(count)} setting`,
        other: `Change ${formatCount(count)} settings`,
      }),
  },

  advanced: {
    sizes: 'Connections',
    connectionWindow: 'Data on its way',
    connectionWindowAbout:
      'Memory for one transfer. Automatic takes more, up to 256 MiB, on fast lines with a long delay.',
    socketBuffers: 'Socket buffers',
    socketBuffersAbout:
      'What the system is asked to keep of packets. The details of a transfer show how much it grants.',
    automatic: (size: string) => `Automatic (now: ${size})`,
    reset: 'Reset all settings',
    resetAbout: 'Servers stay, and so do contacts and transfers.',
    resetButton: 'Reset',
    resetSure: 'Reset all settings?',
  },
}
