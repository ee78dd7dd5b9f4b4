/** The logo of Ostiary. */
export const Doorway = () => (
  <svg
    viewBox="0 0 24 24"
    width="1.6em"
    height="1.6em"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M5 21V10a7 7 0 0 1 14 0v11" />
    <path d="M3 21h18" strokeLinecap="round" />
    <path d="M9 21v-9a3 3 0 0 1 6 0v9" />
    <circle cx="13.1" cy="16" r=".6" fill="currentColor" />
  </svg>
);
