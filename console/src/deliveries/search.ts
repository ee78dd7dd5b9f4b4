export const deliveryStates = ['DEAD', 'PENDING', 'HELD', 'DELIVERED'] as const;
export const receiverKinds = ['WEBHOOK', 'SSF', 'BACKCHANNEL_LOGOUT'] as const;
