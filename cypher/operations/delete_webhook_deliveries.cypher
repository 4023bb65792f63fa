// name: delete_webhook_deliveries
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
// why: nothing else deletes deliveries that were written while their webhook was being deleted
CYPHER 25
UNWIND $ids AS id
MATCH (delivery:EventWebhookDelivery {workspace_id: $workspace_id, id: id})
USING INDEX delivery:EventWebhookDelivery(workspace_id, id)
DELETE delivery
