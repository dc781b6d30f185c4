/** The places of the window, and its settings. */

export const settingsText = {
  places: { all: '위치', transfers: '전송', settings: '설정', contacts: '연락처' },

  settings: {
    pages: {
      general: '일반',
      sharing: '공유',
      receiving: '받기',
      network: '네트워크',
      contacts: '연락처',
      appearance: '모양',
      advanced: '고급',
    },

    general: {
      name: '내 이름',
      nameAbout: '공유하거나 받을 때 상대에게 보여요.',
      namePlaceholder: '이 컴퓨터의 이름',
    },

    sharing: {
      maxReceivers: '동시에 받는 사람',
      maxReceiversAbout: '나머지는 한 사람이 다 받을 때까지 기다려요.',
      codeLife: '코드 유효 기간',
      codeLives: { '10min': '10분', '1h': '1시간', '24h': '24시간' },
      oneReceiver: '코드 하나에 한 사람만',
      oneReceiverAbout: '누군가 코드를 입력하면 다른 사람은 참여할 수 없어요.',
      links: '심볼릭 링크를 링크로 공유',
      linksAbout: '같은 공유 안을 가리키는 링크만 해당돼요.',
      exclude: '항상 제외',
      excludeAbout: 'node_modules나 *.tmp 같은 이름을 쉼표로 구분해 입력하세요.',
      excludePlaceholder: '없음',
    },

    receiving: {
      folder: '저장 위치',
      downloads: '다운로드 폴더 사용',
      rememberLast: '마지막 폴더와 선택 기억',
      rememberLastAbout: '다음에 받을 때 그대로 보여 줘요.',
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
    },

    network: {
      visible: '이 네트워크에서 보이기',
      visibleAbout: '같은 네트워크의 컴퓨터끼리 서버 없이 서로 찾아요.',
      relay: '중계',
      relayAbout: '직접 연결할 수 없을 때 내용을 읽지 못하는 채로 데이터를 전달해요.',
      relays: { automatic: '필요할 때', only: '항상', never: '사용 안 함' },
      speed: '속도',
      speedAbout: '모든 전송을 합한 속도예요.',
    },

    contacts: {
      reachable: '연락처에서 이 컴퓨터로 보낼 수 있음',
      reachableAbout: 'Thruflux가 실행 중일 때만 가능하고, 저장하기 전에 물어봐요.',
    },

    appearance: {
      theme: '테마',
      themes: { system: '시스템 설정 따르기', light: '밝게', dark: '어둡게' },
    },

    advanced: {
      reset: '모든 설정 초기화',
      resetAbout: '서버, 연락처, 전송은 그대로 있어요.',
      resetButton: '초기화',
      resetSure: '모든 설정을 초기화할까요?',
    },
  },
}
