-- Razorpay's messages about an order: what an erasure deletes, and what comes after it.
create index webhook_inbox_order on webhook_inbox ((body #>> '{payload,payment,entity,order_id}'));
