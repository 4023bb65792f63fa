AND ($scope.users IS NULL OR coalesce(memory.user_id, '') IN $scope.users)
AND ($scope.agents IS NULL OR coalesce(memory.agent_id, '') IN $scope.agents)
