-- Deliveries that waited for another attempt when their webhook was switched off: nothing tries them again, and each can be replayed.
update webhook_deliveries d set status = 'FAILED', next_try_at = null
from webhooks w where w.id = d.webhook_id and w.disabled_at is not null and d.status = 'PENDING';
