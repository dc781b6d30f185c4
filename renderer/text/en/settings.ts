/** The places of the window, and its settings. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

export const sectionsText = {
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
    closeToTray: 'Keep running when the window is closed',
    closeToTrayAbout: 'Shares and transfers keep running in the tray, if your system has one.',
    startAtLogin: 'Start when you log in',
    startAtLoginAbout: 'Starts hidden, so contacts can send to you.',
    resumeShares: 'Share again after a restart',
    resumeSharesAbout: 'Reopens what you were sharing when Thruflux quit, with the same codes.',
    keepAwake: 'Keep the computer awake during transfers',
    keepAwakeAbout: 'It can sleep again once no data is moving.',
    keepHistory: 'Remember finished transfers',
    keepHistoryAbout: 'Only on this computer. Existing entries stay until you clear them.',
  },

  sharing: {
    maxReceivers: 'Receivers at the same time',
    maxReceiversAbout: 'Others can join once one of them has finished.',
    codeLife: 'A code expires after',
    codeLives: { '10min': '10 minutes', '1h': '1 hour', '24h': '24 hours' },
    oneReceiver: 'Each code is for one receiver',
    oneReceiverAbout: 'No one else can join once someone has entered it.',
    approve: 'Ask before anyone receives',
    approveAbout: 'You let each person in before they see what you share.',
    browsers: 'Let browsers receive',
    browsersAbout: 'People without Thruflux receive with a page, which is less safe than the app.',
    links: 'Share symbolic links as links',
    linksAbout: 'Only links within the same share.',
    followLinks: 'Send what symbolic links lead to',
    followLinksAbout:
      'Instead of the links. Those that lead out of a share are listed on its card.',
    attributes: 'Offer extended attributes',
    attributesAbout: 'Such as the tags of macOS, and creation times, to receivers who keep them.',
    exclude: 'Always leave out',
    excludeAbout: 'Names such as drafts or *.tmp, separated by commas.',
    excludePlaceholder: 'Nothing',
    gitignore: 'Skip files listed in .gitignore',
    gitignoreAbout: 'Each .gitignore applies to its own folder and everything in it.',
  },

  receiving: {
    folder: 'Save to',
    downloads: 'Use Downloads/Thruflux',
    rememberLast: 'Remember the folder and options used last',
    rememberLastAbout: 'Also updates these settings.',
    prefetch: 'Start receiving while you review an offer',
    prefetchAbout: 'Up to 8 MiB, kept in memory until you decide. Nothing is saved before.',
    conflicts: 'If a different file already exists',
    quality: 'Checks',
    compareContent: 'Compare existing files by their content',
    compareContentAbout: 'Slower. Otherwise only size and time are compared.',
    verify: 'Read everything back from the disk',
    verifyAbout: "Slower. Detects disks that don't store data correctly.",
    resume: 'Resume partial files',
    kept: 'What to keep',
    keepTimes: 'File times',
    keepExecutable: 'Executable permission',
    keepAttributes: 'Creation times and extended attributes, such as the tags of macOS',
    makeLinks: 'Symbolic links',
    makeEmptyFolders: 'Empty folders',
    portableNames: "Change names that some systems don't allow",
    mark: 'Mark files as received from someone else',
    markAbout: 'Windows and macOS then ask before opening a program for the first time.',
  },

  network: {
    visible: 'Visible on this network',
    visibleAbout:
      'Others see the name of this computer and can ask to send to it. If this is off, computers find each other only through a server or public meeting points.',
    visibilities: { everyone: 'To everyone', contacts: 'To contacts', off: 'Off' },
    meeting: 'Public meeting points',
    meetingAbout:
      'Computers on different networks find each other without a server. The meeting points see your internet address, but no files, names or codes. If contacts can send to this computer, it stays connected to some of the meeting points. Never used while a relay is always used.',
    meetings: {
      ask: 'Ask me',
      automatic: 'Without a server',
      always: 'Always',
      never: 'Never',
    },
    servers: 'Servers',
    noServers: 'No server is set',
    noServersAbout: 'A server helps computers on different networks find each other.',
    anotherServer: 'Applies to new shares and receives.',
    given: (server: string) => `Thruflux was started with ${server}, which overrides this list.`,
    kept: (servers: string) => `Current shares keep the server they started with: ${servers}.`,
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
      fallbacks: 'Fallback servers, in order',
      stun: 'STUN servers',
      turn: 'TURN servers',
    },
    inOrder: (servers: readonly string[]) => servers.join(', then '),
    namePlaceholder: 'Optional',
    passwordPlaceholder: 'If the server requires one',
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
        'This server is ready, but without encryption, so anyone in between can listen in. Use wss:// if the server supports it.',
      unreachable: 'Nothing answers at this address. Check it, and whether the server is running.',
      untrusted:
        "A secure connection to it isn't possible. Check the name, and the server's certificate.",
      password: 'This server requires a password, or a different one. Ask whoever runs it.',
      other: "Something answers there, but it isn't a Thruflux server. Check the address.",
    },
    stunAnswers: (server: string) => `${server} answers.`,
    stunSilent: (server: string) => `${server} doesn't answer.`,
    refusals: {
      address: "This isn't a server address. Write it like wss://host or ws://host:port.",
      name: 'This name is too long. Use at most 64 characters.',
      taken: 'Another server has this name. Choose a different one.',
      password: 'A password has at most 256 characters.',
      fallbacks: 'Write at most 3 more server addresses like wss://host, separated by spaces.',
      stun: 'Write at most 8 STUN servers like stun:host:port, separated by spaces.',
      turn: 'Write at most 8 TURN servers like turn:user:password@host:port, separated by spaces.',
    },
    relay: 'Relay',
    relayAbout:
      "A relay forwards encrypted data when a direct connection isn't possible. 'Always' hides your address, even on this network, and needs a relay of your own or the server's.",
    relays: {
      automatic: 'When needed',
      only: 'Always, to hide my address',
      never: 'Never, only directly',
    },
    proxy: {
      label: 'Proxy',
      about:
        'Used to reach servers, and some relays. Computers on this network are always reached directly.',
      choices: { system: "System's proxy", none: 'No proxy', own: 'This proxy' },
      fields: { address: 'Address', user: 'User name', password: 'Password' },
      optional: 'If required',
      kept: 'Unchanged',
      use: 'Use this proxy',
      signsIn: (user: string) => `Signs in as ${user}.`,
      anonymous: 'Without signing in.',
      works: 'The proxy answers, and so does the server.',
      behind: (server: string) => `The proxy answers, but ${server} can't be used through it.`,
      unused: 'The server answers. It is reached without the proxy.',
      broken:
        "The proxy in the settings file isn't valid, so no server is reached. Type it again, or choose another option.",
      refusals: {
        address:
          "This isn't the address of a proxy. Write it like http://host:port or socks5://host:port.",
        user: 'A password needs a user name.',
        credentials:
          "A proxy can't use this user name and password: they are too long, or the name has a colon.",
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
      copyAbout:
        'It has no passwords and only shortened addresses, so you can send it to someone who helps you.',
      parts: {
        computer: 'This computer',
        server: 'Server',
        internet: 'Internet',
        relays: 'Relays',
        router: 'Router',
        network: 'Local network',
      },
      states: { ok: 'Fine', warning: 'Note', failed: 'Problem', unknown: 'Unknown' },
      reach: {
        everywhere: 'You can reach others through the internet and on your network.',
        internet: 'You can reach others through the server, but not on your network without it.',
        network: 'You can reach others on your network, but not through the internet.',
        nowhere: "You can't reach others from here. Start with the first problem below.",
      },
    },
    portMapping: 'Open ports on the router automatically',
    portMappingAbout:
      'Makes more connections direct. The ports are open only while a connection lasts.',
    background: 'Leave room for others',
    backgroundAbout:
      'Transfers slow down while calls, games or other downloads need the connection.',
  },

  contacts: {
    reachable: 'Contacts can send to this computer',
    reachableAbout:
      'While Thruflux runs. You are asked first, unless you receive from that contact without asking.',
  },

  notifications: {
    about: 'Shown while Thruflux is in the background.',
    joined: 'Someone joins a share',
    asks: 'Someone asks to be let in',
    offers: 'Someone wants to send you files',
    finished: 'A transfer is complete',
    failed: 'A transfer fails or is interrupted',
  },

  appearance: {
    theme: 'Theme',
    themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    languageAbout: 'Preview languages cover the main screens; the rest is in English.',
    preview: (name: string) => `${name} (preview)`,
  },

  copies: {
    export: 'Export settings',
    exportAbout: 'To a file of your choice. Passwords are not included.',
    exportButton: 'Export',
    exported: ({ name, withheld }: { readonly name: string; readonly withheld: number }) =>
      withheld === 0
        ? `Saved as ${name}.`
        : plural(withheld, {
            one: `Saved as ${name}, without ${formatCount(withheld)} relay that has a password.`,
            other: `Saved as ${name}, without ${formatCount(withheld)} relays that have a password.`,
          }),
    import: 'Import settings',
    importAbout: 'You can review the changes before they are applied.',
    importButton: 'Import',
    imported: (name: string) => `${name} was imported.`,
    changes: (name: string) => `Changes in ${name}`,
    noChanges: (name: string) => `${name} matches your current settings.`,
    refused: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} setting isn't valid and stays unchanged`,
        other: `${formatCount(count)} settings aren't valid and stay unchanged`,
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
    connectionWindow: 'Data in flight',
    connectionWindowAbout:
      'Memory for one transfer. Automatic uses more, up to 256 MiB, on fast connections with a long delay.',
    socketBuffers: 'Socket buffers',
    socketBuffersAbout:
      'Buffer size requested from the system. The details of a transfer show how much it grants.',
    automatic: (size: string) => `Automatic (now: ${size})`,
    reset: 'Reset all settings',
    resetAbout: 'Servers, contacts and transfers are kept.',
    resetButton: 'Reset',
    resetSure: 'Reset all settings?',
  },
}
