// The script of every page: it makes the transport to the server, and brings to life what the page has.

import { createBoard } from "./board.js";
import { initCall, initCallSetting } from "./call.js";
import { initChat } from "./chat.js";
import { initClocks } from "./clocks.js";
import { initDeal, receiptOf } from "./deal.js";
import { initDrawer, makeScrollable } from "./drawer.js";
import { initForms } from "./forms.js";
import { initGuard } from "./guard.js";
import { initLayout } from "./layout.js";
import { body, here, initPage } from "./page.js";
import { initPickers } from "./picker.js";
import { followReview, initRecordFile } from "./records.js";
import { initReplay } from "./replay.js";
import { initSettings } from "./settings.js";
import { initSound } from "./sound.js";
import { createTabTransport } from "./tab_transport.js";
import { initTable } from "./table.js";
import { initPasskeys } from "./passkeys.js";
import { createHttpTransport } from "./transport.js";
import { initVerify } from "./verify.js";

// A table in a tab has a worker instead of a server: see ridotto/web/tab.
const transport = "tab" in document.documentElement.dataset ? createTabTransport() : createHttpTransport();
const board = createBoard(transport);
const sound = initSound();

initForms(transport);
if (body.dataset.table) {
  initClocks();
  initCall(sound);
  initChat();
}
initCallSetting();
initPickers();
initGuard();
initPage();
initSettings();
if (here) initTable({ transport, board });
initDeal(transport);
initVerify({ transport, receiptOf });
makeScrollable(document);
initDrawer(transport);
initReplay({ transport, board });
followReview(transport);
initRecordFile();
initPasskeys(transport);
initLayout();
