/** The places of the window, and its settings. */
import { formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const settingsText: Translation<Pick<Catalogue, 'sections' | 'settings'>> = {
  sections: {
    all: '위치',
    transfers: '전송',
    history: '기록',
    settings: '설정',
    contacts: '연락처',
  },

  settings: {
    pages: {
      general: '일반',
      sharing: '공유',
      receiving: '받기',
      network: '네트워크',
      contacts: '연락처',
      notifications: '알림',
      appearance: '모양',
      advanced: '고급',
      about: '정보',
    },

    general: {
      name: '내 이름',
      nameAbout: '공유하거나 받을 때 상대에게 보여요.',
      namePlaceholder: '이 컴퓨터의 이름',
      running: '실행',
      closeToTray: '창을 닫아도 계속하기',
      closeToTrayAbout: '트레이가 있으면 공유와 전송이 트레이에서 계속돼요.',
      startAtLogin: '로그인할 때 시작',
      startAtLoginAbout: '창 없이 시작해서 연락처가 보낸 것을 받을 수 있어요.',
      resumeShares: '다시 시작하면 이어서 공유',
      resumeSharesAbout: 'Thruflux가 끝날 때 공유하던 것을 같은 코드로 다시 공유해요.',
      keepAwake: '전송 중에는 잠자기 방지',
      keepAwakeAbout: '전송이 없으면 컴퓨터가 다시 잠들 수 있어요.',
      keepHistory: '끝난 전송 기억',
      keepHistoryAbout: '이 컴퓨터에만 기록돼요. 이미 있는 기록은 지울 때까지 남아요.',
    },

    sharing: {
      maxReceivers: '동시에 받는 사람',
      maxReceiversAbout: '나머지는 한 사람이 다 받을 때까지 기다려요.',
      codeLife: '코드 유효 기간',
      codeLives: { '10min': '10분', '1h': '1시간', '24h': '24시간' },
      oneReceiver: '코드 하나에 한 사람만',
      oneReceiverAbout: '누군가 코드를 입력하면 다른 사람은 참여할 수 없어요.',
      approve: '받기 전에 물어보기',
      approveAbout: '허락하기 전에는 무엇을 공유하는지 보이지 않아요.',
      links: '심볼릭 링크를 링크로 공유',
      linksAbout: '같은 공유 안을 가리키는 링크만 해당돼요.',
      exclude: '항상 제외',
      excludeAbout: 'node_modules나 *.tmp 같은 이름을 쉼표로 구분해 입력하세요.',
      excludePlaceholder: '없음',
      gitignore: '.gitignore 파일이 제외하는 것은 공유하지 않기',
      gitignoreAbout: '공유하는 폴더 안에 있는 .gitignore 파일을 따라요.',
    },

    receiving: {
      folder: '저장 위치',
      downloads: '다운로드 폴더 사용',
      rememberLast: '지난번에 받은 폴더와 선택으로 시작',
      rememberLastAbout: '받을 때 선택한 것이 여기에도 설정돼요.',
      prefetch: '받을지 정하는 동안 미리 받기',
      prefetchAbout: '정하기 전에는 최대 8 MiB를 메모리에만 두고 저장하지 않아요.',
      conflicts: '다른 파일이 이미 있으면',
      quality: '확인',
      compareContent: '이미 있는 파일을 내용으로 비교',
      compareContentAbout: '느려요. 끄면 크기와 시간으로 판단해요.',
      verify: '디스크에서 모두 다시 읽어 확인',
      verifyAbout: '느려요. 저장한 내용을 잃는 디스크를 찾아내요.',
      resume: '지난번에 받다 만 파일 이어받기',
      kept: '그대로 유지',
      keepTimes: '파일 시간',
      keepExecutable: '실행 권한',
      makeLinks: '심볼릭 링크',
      makeEmptyFolders: '빈 폴더',
      portableNames: '일부 시스템에서 쓸 수 없는 이름 바꾸기',
      mark: '다른 사람에게 받은 파일로 표시',
      markAbout: '그러면 Windows와 macOS가 프로그램을 처음 열 때 물어봐요.',
    },

    network: {
      visible: '이 네트워크에서 보이기',
      visibleAbout: '같은 네트워크의 컴퓨터끼리 서버 없이 서로 찾아요.',
      meeting: '공개 만남 지점',
      meetingAbout:
        '다른 네트워크에 있는 컴퓨터끼리 서버 없이 서로 찾아요. 만남 지점은 내 인터넷 주소를 보지만 파일이나 이름, 코드는 볼 수 없어요. 항상 중계를 쓰면 사용하지 않아요.',
      meetings: {
        ask: '물어보기',
        automatic: '서버가 없을 때',
        always: '항상',
        never: '사용 안 함',
      },
      servers: '서버',
      noServers: '설정된 서버가 없어요',
      noServersAbout: '서버는 다른 네트워크에 있는 컴퓨터끼리 서로 찾게 해 줘요.',
      anotherServer: '사용 중인 서버는 지금부터 공유하고 받는 것에 적용돼요.',
      given: (server: string) =>
        `이번 시작에는 ${server} 서버를 쓰도록 지정됐어요. 이 목록보다 우선해요.`,
      kept: (servers: string) => `지금 공유 중인 것은 시작할 때의 서버를 계속 써요: ${servers}.`,
      keptNone: '없음, 이 네트워크만',
      builtIn: 'Thruflux에 포함됨',
      addServer: '서버 추가',
      useServer: '사용',
      used: '사용 중',
      removeServer: '제거',
      fields: {
        url: '주소',
        name: '이름',
        password: '비밀번호',
        fallbacks: '안 될 때 쓸 서버(순서대로)',
        stun: 'STUN 서버',
        turn: 'TURN 서버',
      },
      inOrder: (servers: readonly string[]) => servers.join(', 다음은 '),
      namePlaceholder: '원하는 이름',
      passwordPlaceholder: '서버가 요구하면 입력',
      enterPassword: '비밀번호…',
      changePassword: '비밀번호 변경…',
      setPassword: '저장',
      more: '더 보기',
      add: '추가',
      test: '테스트',
      testing: '테스트 중…',
      checks: {
        ready: '이 서버를 쓸 수 있어요.',
        insecure:
          '이 서버를 쓸 수 있지만 TLS가 없어서 중간에서 엿들을 수 있어요. 가능하면 wss://를 쓰세요.',
        unreachable: '이 주소에서 응답이 없어요. 주소와 서버가 실행 중인지 확인하세요.',
        untrusted: '안전하게 연결할 수 없어요. 이름과 서버의 인증서를 확인하세요.',
        password: '이 서버는 비밀번호가 필요하거나 비밀번호가 달라요. 서버 관리자에게 물어보세요.',
        other: '응답은 있지만 Thruflux 서버가 아니에요. 주소를 확인하세요.',
      },
      stunAnswers: (server: string) => `${server}: 응답해요.`,
      stunSilent: (server: string) => `${server}: 응답이 없어요.`,
      refusals: {
        address: '서버 주소가 아니에요. wss://host 또는 ws://host:port처럼 입력하세요.',
        name: '이름이 너무 길어요. 64자까지 쓸 수 있어요.',
        taken: '같은 이름의 서버가 있어요. 다른 이름을 쓰세요.',
        password: '비밀번호는 256자까지 쓸 수 있어요.',
        fallbacks: '서버 주소는 wss://host처럼 3개까지, 공백으로 구분해 더 입력하세요.',
        stun: 'STUN 서버는 stun:host:port처럼 8개까지, 공백으로 구분해 입력하세요.',
        turn: 'TURN 서버는 turn:user:password@host:port처럼 8개까지, 공백으로 구분해 입력하세요.',
      },
      relay: '중계',
      relayAbout:
        '직접 연결할 수 없을 때 내용을 읽지 못하는 채로 데이터를 전달해요. 항상 쓰려면 내 중계 서버나 서버의 중계가 필요하고, 이 네트워크에서도 보이지 않아요.',
      relays: {
        automatic: '필요할 때',
        only: '항상 (내 주소 숨기기)',
        never: '사용 안 함 (직접 연결만)',
      },
      proxy: {
        label: '프록시',
        about:
          '서버와 TCP TURN 서버에 연결할 때 써요. 이 네트워크의 컴퓨터에는 항상 직접 연결해요.',
        choices: { system: '시스템 프록시', none: '프록시 없음', own: '직접 입력' },
        fields: { address: '주소', user: '사용자 이름', password: '비밀번호' },
        optional: '필요하면 입력',
        kept: '변경 없음',
        use: '이 프록시 사용',
        signsIn: (user: string) => `${user} 이름으로 로그인해요.`,
        anonymous: '로그인하지 않아요.',
        works: '프록시와 서버 모두 응답해요.',
        behind: (server: string) => `프록시는 응답하지만 ${server} 서버를 쓸 수 없어요.`,
        unused: '서버가 응답해요. 프록시 없이 연결돼요.',
        broken:
          '설정 파일의 프록시가 올바르지 않아서 서버에 연결하지 않아요. 다시 입력하거나 다른 방식을 고르세요.',
        refusals: {
          address:
            '프록시 주소가 아니에요. http://host:port 또는 socks5://host:port처럼 입력하세요.',
          user: '비밀번호를 쓰려면 사용자 이름도 필요해요.',
          credentials:
            '프록시에서 쓸 수 없는 사용자 이름과 비밀번호예요. 너무 길거나 이름에 콜론이 있어요.',
        },
      },
      check: {
        label: '연결 확인',
        about: '서버, 중계, 공유기, 네트워크를 시험해요. 5초까지 걸리고 이름은 보내지 않아요.',
        start: '확인',
        again: '다시 확인',
        running: '확인 중…',
        copy: '보고서 복사',
        copyAbout: '비밀번호는 빼고 주소는 줄여서, 도와줄 사람에게 전달할 수 있어요.',
        parts: {
          computer: '이 컴퓨터',
          server: '시그널링 서버',
          internet: '인터넷',
          relays: '중계',
          router: '공유기',
          network: '로컬 네트워크',
        },
        states: { ok: '정상', warning: '참고', failed: '문제', unknown: '알 수 없음' },
        reach: {
          everywhere: '인터넷과 로컬 네트워크에서 다른 사람과 연결할 수 있어요.',
          internet: '서버를 통해 연결할 수 있지만, 서버 없이 로컬 네트워크에서는 연결할 수 없어요.',
          network: '로컬 네트워크에서는 연결할 수 있지만, 인터넷으로는 연결할 수 없어요.',
          nowhere: '여기서는 다른 사람과 연결할 수 없어요. 아래 첫 번째 문제부터 살펴보세요.',
        },
      },
      portMapping: '공유기에 포트 열기 요청',
      portMappingAbout:
        '직접 연결되는 경우가 늘어나요. 연결된 동안만 PCP, NAT-PMP, UPnP로 요청해요.',
      background: '다른 통신에 회선 양보',
      backgroundAbout: '통화, 게임, 다른 다운로드가 회선을 쓰는 동안 전송이 느려져요.',
    },

    contacts: {
      reachable: '연락처에서 이 컴퓨터로 보낼 수 있음',
      reachableAbout: 'Thruflux가 실행 중일 때만 가능하고, 저장하기 전에 물어봐요.',
    },

    notifications: {
      about: '다른 창을 보고 있을 때 알려요.',
      joined: '누군가 공유에 참여할 때',
      asks: '누군가 받기를 요청할 때',
      offers: '누군가 파일을 보내려고 할 때',
      finished: '전송이 끝났을 때',
      failed: '전송이 실패하거나 중단됐을 때',
    },

    appearance: {
      theme: '테마',
      themes: { system: '시스템 설정 따르기', light: '밝게', dark: '어둡게' },
      language: '언어',
      languageAbout: '미리보기 언어는 주요 화면만 번역되어 있고 나머지는 영어예요.',
      preview: (name) => `${name} (미리보기)`,
    },

    copies: {
      export: '설정 내보내기',
      exportAbout: '원하는 파일로 저장해요. 서버와 프록시의 비밀번호는 내보내지 않아요.',
      exportButton: '내보내기',
      exported: ({ name, withheld }) =>
        withheld === 0
          ? `${name}(으)로 저장했어요.`
          : `${name}(으)로 저장했어요. 비밀번호가 있는 TURN 서버 ${formatCount(withheld)}개는 뺐어요.`,
      import: '설정 가져오기',
      importAbout: '바뀌기 전에 무엇이 바뀌는지 보여 줘요.',
      importButton: '가져오기',
      imported: (name) => `${name} 파일을 가져왔어요.`,
      changes: (name) => `${name} 파일이 바꾸는 것`,
      noChanges: (name) => `${name} 파일의 내용은 지금 설정과 같아요.`,
      refused: (count) => `설정 ${formatCount(count)}개는 값이 잘못되어 그대로 두어요`,
      unknown: (count) => `이 버전이 모르는 설정이 ${formatCount(count)}개 있어요.`,
      apply: (count) => `설정 ${formatCount(count)}개 바꾸기`,
    },

    advanced: {
      sizes: '연결',
      connectionWindow: '전송 중인 데이터',
      connectionWindowAbout:
        '전송 하나가 쓰는 메모리예요. 자동이면 지연이 긴 빠른 회선에서 256 MiB까지 더 써요.',
      socketBuffers: '소켓 버퍼',
      socketBuffersAbout:
        '시스템에 요청하는 패킷 보관 크기예요. 실제로 받은 크기는 전송의 자세한 정보에 나와요.',
      automatic: (size) => `자동 (지금: ${size})`,
      reset: '모든 설정 초기화',
      resetAbout: '서버, 연락처, 전송은 그대로 있어요.',
      resetButton: '초기화',
      resetSure: '모든 설정을 초기화할까요?',
    },
  },
}
