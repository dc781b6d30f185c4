import type { Translation } from '#shared/text/catalogue'
import type { updatesText as english } from '../en/updates'

const again = 'Thruflux가 알아서 다시 시도해요.'
const untrusted = '아무것도 설치하지 않았어요. 다시 나타나면 Thruflux를 준 사람에게 알려 주세요.'

export const updatesText: Translation<typeof english> = {
  version: (version) => `Thruflux ${version}`,
  by: {
    app: '아직 업데이트를 확인하지 않았어요.',
    system: '시스템이 다른 프로그램과 함께 업데이트해요.',
    person: '새 버전은 이 버전을 설치한 방법으로 설치하세요.',
    nobody: '이 빌드는 업데이트를 찾지 않아요. 새 버전은 이것을 받은 곳에서 설치하세요.',
  },
  checked: (time) => `마지막 확인: ${time}.`,
  newest: (time) => `최신 버전이에요. 마지막 확인: ${time}.`,
  checking: '업데이트 확인 중…',
  waiting: (version) => `전송이 끝나면 ${version} 버전을 받아요.`,
  downloading: ({ version, done }) => `${version} 버전 다운로드 중: ${done}.`,
  downloadingName: '업데이트 다운로드',
  ready: (version) => `Thruflux를 종료할 때 ${version} 버전을 설치해요.`,
  readyBusy: (version) => `전송이 끝나고 Thruflux를 종료할 때 ${version} 버전을 설치해요.`,
  check: '지금 확인',
  restart: '다시 시작하여 업데이트',
  automatic: 'Thruflux를 최신으로 유지',
  automaticAbout:
    '하루에 한 번, 전송 중이 아닐 때만 확인하고, 당신이 누구인지 아무에게도 알리지 않아요.',
  channel: '버전',
  channelAbout: '베타는 먼저 나오지만 오류가 더 많아요.',
  channels: { stable: '안정', beta: '안정과 베타' },
  noSandbox: {
    label: 'Chromium 샌드박스 없이 실행 중',
    about:
      '창에 결함이 있으면 이 컴퓨터가 더 위험해질 수 있어요. deb와 rpm 패키지에는 샌드박스가 있고, AppImage에는 시스템이 허용할 때만 있으며, root에는 없어요.',
  },
  news: (version) => `${version}의 새로운 기능`,
  updated: (version) => `이제 Thruflux ${version} 버전이에요.`,
  showNews: '새로운 기능',
  errors: {
    E_UPDATE_UNREACHABLE: {
      what: '업데이트 서버에 연결할 수 없어요.',
      remedy: `인터넷 연결을 확인하세요. ${again}`,
    },
    E_UPDATE_UNTRUSTED: { what: '업데이트에 제작자의 서명이 없어요.', remedy: untrusted },
    E_UPDATE_EXPIRED: {
      what: '업데이트 서버의 정보가 오래됐어요.',
      remedy: '이 컴퓨터의 날짜를 확인하세요. 맞다면 며칠 뒤에 다시 시도하세요.',
    },
    E_UPDATE_STALE: {
      what: '업데이트 서버의 정보가 전보다 오래된 것이에요.',
      remedy: `아무것도 설치하지 않았어요. ${again}`,
    },
    E_UPDATE_DAMAGED: {
      what: '업데이트가 손상되어 보관하지 않았어요.',
      remedy: '업데이트를 다시 확인하세요.',
    },
    E_UPDATE_INTERRUPTED: {
      what: '다운로드가 중단됐어요.',
      remedy: '한 시간 안에 알아서 다시 받아요. 지금 확인할 수도 있어요.',
    },
    E_UPDATE_DISK_FULL: {
      what: '업데이트를 위한 디스크 공간이 부족해요.',
      remedy: '500 MB 정도를 비운 다음 다시 확인하세요.',
    },
    E_UPDATE_NOT_WRITABLE: {
      what: 'Thruflux가 설치된 곳에 쓸 수 없어요.',
      remedy: '내 폴더로 옮기거나 이 컴퓨터의 관리자에게 문의하세요.',
    },
    E_UPDATE_INSTALL: {
      what: '업데이트 설치 프로그램이 실행되지 않았어요.',
      remedy: '다시 확인하거나 최신 버전을 직접 설치하세요.',
    },
  },
}
