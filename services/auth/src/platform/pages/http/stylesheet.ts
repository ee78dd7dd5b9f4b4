import { createHash } from 'node:crypto';

/**
 * The only stylesheet, inline in each page and permitted by its hash, so that a page is one request. Colours meet
 * WCAG AA in both colour schemes; sizes scale with the user's font size.
 */
export const stylesheet = `
:root{color-scheme:light dark;--ground:#f4f5f2;--card:#fff;--ink:#1d2420;--soft:#57615b;--line:#d7dcd6;--field:#8b968e;
--accent:#1f6b4f;--accent-strong:#17533d;--on-accent:#fff;--wash:#eaf2ee;--bad:#a3261b;--bad-wash:#fcefed;--shadow:0 1px 2px #1d242014,0 12px 32px #1d242014}
@media (prefers-color-scheme:dark){:root{--ground:#121614;--card:#1a201d;--ink:#e9eeea;--soft:#a3afa8;--line:#2f3833;--field:#6f7c75;
--accent:#7fd0ab;--accent-strong:#9be0c0;--on-accent:#0d1f17;--wash:#20302a;--bad:#ffb1a6;--bad-wash:#3a1f1c;--shadow:none}}
*,*::before,*::after{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;background:var(--ground);color:var(--ink);padding:1rem}
header{width:100%;max-width:26rem;margin-top:clamp(.5rem,9vh,6rem);display:flex;align-items:center;gap:.625rem;padding:0 .25rem;font-weight:600}
header svg{width:1.75rem;height:1.75rem;flex:none;color:var(--accent)}
main .app{display:block;max-width:10rem;height:3.5rem;margin:0 0 1rem;padding:.25rem;border-radius:.5rem;background:#fff;object-fit:contain}
.app-links{margin-top:1.25rem;padding-top:1rem;border-top:1px solid var(--line)}.app-links a{display:block}.app-links a+a{margin-top:.25rem}
header img{max-width:8rem;max-height:2.25rem;flex:none}
main{width:100%;max-width:26rem;margin:1rem 0 1.5rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:var(--shadow)}
footer{margin-top:auto;padding:.5rem;color:var(--soft);font-size:.8125rem}
h1{margin:0;font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.011em;text-wrap:balance;overflow-wrap:anywhere}
p{margin:.5rem 0 0;overflow-wrap:anywhere}
.lead,.hint{color:var(--soft)}.lead strong{color:var(--ink);font-weight:600}.hint{font-size:.875rem}
form{margin-top:1.5rem}
.field+.field{margin-top:1.125rem}
label{display:block;margin-bottom:.375rem;font-weight:550;font-size:.9375rem}
input{width:100%;padding:.6875rem .75rem;border:1px solid var(--field);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
input[aria-invalid=true]{border-color:var(--bad)}
.problem{margin:.375rem 0 0;color:var(--bad);font-size:.875rem}
button,.button{display:block;width:100%;margin-top:1.5rem;padding:.75rem 1rem;border:1px solid transparent;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;cursor:pointer}
button:hover{background:var(--accent-strong)}
button.quiet{margin-top:.625rem;background:none;border-color:var(--line);color:var(--ink)}
button.quiet:hover{background:var(--wash)}
.or{display:flex;align-items:center;gap:.75rem;margin:1.5rem 0 0;color:var(--soft);font-size:.875rem}.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.or+form{margin-top:0}.or[hidden]{display:none}
button.link{width:auto;margin:1.25rem auto 0;padding:.25rem .5rem;background:none;color:var(--accent);font-weight:500;text-decoration:underline;text-underline-offset:.15em}button.link:hover{background:none;color:var(--accent-strong)}
.shown{position:relative}.shown button{position:absolute;top:0;right:0;width:auto;margin:0;padding:0;background:none;color:var(--accent);font-size:.875rem;font-weight:500}.shown button:hover{background:none;color:var(--accent-strong)}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.summary{margin:1.25rem 0 0;padding:.75rem 1rem;border:1px solid var(--bad);border-radius:.5rem;background:var(--bad-wash);color:var(--bad)}
.summary:focus{outline:3px solid var(--bad);outline-offset:2px}
.summary h2{margin:0;font-size:1rem}.summary p{margin:.25rem 0 0}.summary ul{margin:.25rem 0 0;padding-left:1.125rem}.summary a{color:inherit}
.account{display:flex;align-items:center;gap:.75rem;margin-top:1.25rem;padding:.75rem;border:1px solid var(--line);border-radius:.625rem}
.account .initial{display:grid;place-items:center;flex:none;width:2.25rem;height:2.25rem;border-radius:50%;background:var(--wash);color:var(--accent);font-weight:650}
.account div{min-width:0}.account p{margin:0;line-height:1.35}
.scopes{list-style:none;margin:.75rem 0 0;padding:0}
.scopes li{display:flex;gap:.625rem;padding:.5rem 0;border-top:1px solid var(--line)}.scopes li:first-child{border-top:0}
.scopes svg{flex:none;width:1.25rem;height:1.25rem;margin-top:.125rem;color:var(--accent)}
.user-code{margin:.75rem 0;padding:.75rem;border-radius:.5rem;background:var(--wash);font-size:1.5rem;letter-spacing:.14em;text-align:center}
.note{margin:1rem 0 0;padding:.75rem 1rem;border-radius:.5rem;background:var(--wash)}
.wide header,.wide main{max-width:40rem}.wide .account div{flex:1}
.part{margin-top:2.25rem}.part h2{margin:0;font-size:1.0625rem;font-weight:650}
.rows{list-style:none;margin:.75rem 0 0;padding:0}
.rows li{display:flex;align-items:center;gap:1rem;padding:.75rem 0;border-top:1px solid var(--line)}
.rows div{flex:1;min-width:0}.rows p{margin:0;line-height:1.45}.rows .line{display:block}.part form,.rows form{margin:0;flex:none}
.small,button.small{display:inline-block;flex:none;width:auto;margin:0;padding:.375rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:none;color:var(--ink);font-size:.875rem;font-weight:550;line-height:1.4;text-decoration:none}
.small:hover{background:var(--wash)}.part>form,.part>p>.small{margin-top:.25rem}
a.button{text-decoration:none}a.button.quiet{margin-top:.625rem;background:none;border-color:var(--line);color:var(--ink)}a.button.quiet:hover{background:var(--wash)}
.field>.hint{margin-top:.375rem}.passkey .problem:empty{display:none}[hidden]{display:none!important}
.qr{width:fit-content;margin:1rem auto;padding:.75rem;border-radius:.75rem;background:#fff}.qr svg{display:block;width:11rem;height:11rem}
.typed{display:block;padding:.625rem .75rem;border-radius:.5rem;background:var(--wash);overflow-wrap:anywhere;user-select:all}
.codes{display:grid;grid-template-columns:1fr 1fr;gap:.5rem;margin:1.25rem 0 0;padding:1rem;list-style:none;border-radius:.625rem;background:var(--wash);text-align:center}.codes code{font-size:1rem}
fieldset{margin:0;padding:0;border:0;min-width:0}legend{margin-bottom:.375rem;padding:0;font-weight:550;font-size:.9375rem}
.choice{display:flex;align-items:flex-start;gap:.625rem;margin:0;padding:.375rem 0;font-weight:400}.choice input{flex:none;width:1.125rem;height:1.125rem;margin:.1875rem 0 0;accent-color:var(--accent)}
select{width:100%;padding:.6875rem .75rem;border:1px solid var(--field);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
code{font:.875rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:30rem){body{padding:.75rem}main{padding:1.375rem 1.25rem}}
@media (forced-colors:active){button,.button,input,main{border:1px solid}}
`;

/** Hash of the stylesheet for the content security policy. */
export const stylesheetHash = `'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`;
