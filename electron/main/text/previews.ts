/** Dialogs and tray in the preview languages. */
import type { Language } from '#shared/language'
import type { Translation } from '#shared/text/catalogue'
import type { MainText } from './catalogue'

export const previews: { readonly [language in Language]?: Translation<MainText> } = {
  de: {
    dialogs: { share: 'Teilen', saveHere: 'Hier sichern' },
    tray: {
      open: 'Thruflux öffnen',
      shareFiles: 'Dateien teilen…',
      pauseAll: 'Alle pausieren',
      resumeAll: 'Alle fortsetzen',
      quit: 'Thruflux beenden',
      idle: 'Keine Übertragungen',
    },
  },
  es: {
    dialogs: { share: 'Compartir', saveHere: 'Guardar aquí' },
    tray: {
      open: 'Abrir Thruflux',
      shareFiles: 'Compartir archivos…',
      pauseAll: 'Pausar todo',
      resumeAll: 'Reanudar todo',
      quit: 'Salir de Thruflux',
      idle: 'Sin transferencias',
    },
  },
  fr: {
    dialogs: { share: 'Partager', saveHere: 'Enregistrer ici' },
    tray: {
      open: 'Ouvrir Thruflux',
      shareFiles: 'Partager des fichiers…',
      pauseAll: 'Tout mettre en pause',
      resumeAll: 'Tout reprendre',
      quit: 'Quitter Thruflux',
      idle: 'Aucun transfert',
    },
  },
  it: {
    dialogs: { share: 'Condividi', saveHere: 'Salva qui' },
    tray: {
      open: 'Apri Thruflux',
      shareFiles: 'Condividi file…',
      pauseAll: 'Metti tutto in pausa',
      resumeAll: 'Riprendi tutto',
      quit: 'Esci da Thruflux',
      idle: 'Nessun trasferimento',
    },
  },
  'pt-BR': {
    dialogs: { share: 'Compartilhar', saveHere: 'Salvar aqui' },
    tray: {
      open: 'Abrir Thruflux',
      shareFiles: 'Compartilhar arquivos…',
      pauseAll: 'Pausar tudo',
      resumeAll: 'Retomar tudo',
      quit: 'Sair do Thruflux',
      idle: 'Nenhuma transferência',
    },
  },
  ja: {
    dialogs: { share: '共有', saveHere: 'ここに保存' },
    tray: {
      open: 'Thruflux を開く',
      shareFiles: 'ファイルを共有…',
      pauseAll: 'すべて一時停止',
      resumeAll: 'すべて再開',
      quit: 'Thruflux を終了',
      idle: '転送なし',
    },
  },
  'zh-Hans': {
    dialogs: { share: '共享', saveHere: '保存到此处' },
    tray: {
      open: '打开 Thruflux',
      shareFiles: '共享文件…',
      pauseAll: '全部暂停',
      resumeAll: '全部继续',
      quit: '退出 Thruflux',
      idle: '没有传输',
    },
  },
  ar: {
    dialogs: { share: 'مشاركة', saveHere: 'الحفظ هنا' },
    tray: {
      open: 'فتح Thruflux',
      shareFiles: 'مشاركة ملفات…',
      pauseAll: 'إيقاف الكل مؤقتًا',
      resumeAll: 'استئناف الكل',
      quit: 'إنهاء Thruflux',
      idle: 'لا توجد عمليات نقل',
    },
  },
}
